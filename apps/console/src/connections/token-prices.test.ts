import { expect, it } from "vitest";
import { priceText, problemOfPrice } from "./token-prices.ts";

it("shows a price only when input and output have one", () => {
  expect(priceText({ input: 2.5, output: 10 })).toBe("$2.50 in, $10.00 out per million");
  expect(priceText({ input: 0.075, output: 0 })).toBe("$0.075 in, $0.00 out per million");
  expect(priceText({ input: 1, output: null })).toBeUndefined();
});

it("takes amounts of dollars, none below nothing", () => {
  for (const fine of ["0", "0.25", " 3 "]) expect(problemOfPrice(fine)).toBeUndefined();
  for (const wrong of ["", "free", "-1", "Infinity"]) expect(problemOfPrice(wrong)).toMatch(/0\.25/);
});

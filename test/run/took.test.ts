import { expect, test } from "vitest";
import { took } from "./took.ts";

test("what the suite took is told beside its bound times how much slower than the reference the machine was", () => {
  expect(took(470.4, [1, 1])).toBe("took 470 s; alone at most 480 s x 1.00 (measured 1.00 and 1.00) = 480 s: held");
  expect(took(600, [1.2, 1.4])).toBe("took 600 s; alone at most 480 s x 1.30 (measured 1.20 and 1.40) = 624 s: held");
  expect(took(481, [1])).toBe("took 481 s; alone at most 480 s x 1.00 (measured 1.00) = 480 s: missed");
});

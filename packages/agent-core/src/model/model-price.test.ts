import { expect, test } from "vitest";
import { estimateCost } from "./model-price.ts";

const usage = { input: 1_000_000, output: 100_000, cacheRead: 600_000, cacheWrite: 100_000 };

test("cached tokens are part of the input and are paid once, at their own price", () => {
  const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
  expect(estimateCost(usage, price)).toBe(2.955);
  expect(estimateCost(usage, { input: 3, output: 15 })).toBeCloseTo(3 + 1.5, 10);
});

test("where tokens were used whose price is not known, the cost is not known, not nothing", () => {
  expect(estimateCost(usage, undefined)).toBeUndefined();
  expect(estimateCost(usage, { output: 15 })).toBeUndefined();
  expect(estimateCost({ input: 0, output: 5, cacheRead: 0, cacheWrite: 0 }, { output: 2 })).toBe(0.00001);
});

test("a price that is found while the call runs counts", () => {
  expect(estimateCost(usage, () => ({ input: 3, output: 15 }))).toBe(estimateCost(usage, { input: 3, output: 15 }));
  expect(estimateCost(usage, () => undefined)).toBeUndefined();
});

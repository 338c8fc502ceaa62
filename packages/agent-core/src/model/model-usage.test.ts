import { expect, it } from "vitest";
import { NO_MODEL_USAGE, sumModelUsage } from "./model-usage.ts";

it("sums what calls used, counting those that reported nothing as nothing", () => {
  const one = { input: 10, output: 2, cacheRead: 4, cacheWrite: 1 };
  expect(sumModelUsage([one, undefined, one])).toEqual({ input: 20, output: 4, cacheRead: 8, cacheWrite: 2 });
  expect(sumModelUsage([])).toEqual(NO_MODEL_USAGE);
});

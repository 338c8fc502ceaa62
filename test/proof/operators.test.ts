import { expect, it } from "vitest";
import { runOperators } from "./operators/run-operators.ts";

it("operators who fork, rewind, delete, set goals and remember at once meet no fault, and nothing incognito stays", async () => {
  const { answers, hushed, violations } = await runOperators({ seed: "t", operations: 160, lives: 2 });
  expect(violations).toEqual([]);
  expect([answers > 300, hushed > 3]).toEqual([true, true]);
});

import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { FewAtOnce } from "./few-at-once.ts";

test("of many requests eight begin in a turn of the loop, in their order, and one that comes alone begins at once", async () => {
  const few = new FewAtOnce();
  expect(few.turn()).toBeUndefined();
  await setImmediate();
  await setImmediate();
  const begun: number[] = [];
  for (let request = 0; request < 100; request++) {
    void (async () => {
      await few.turn();
      begun.push(request);
    })();
  }
  // The first ones begin in this turn.
  await new Promise((resolve) => process.nextTick(resolve));
  expect(begun).toHaveLength(8);
  const steps: number[] = [];
  while (begun.length < 100) {
    const before = begun.length;
    await setImmediate();
    steps.push(begun.length - before);
  }
  expect(Math.max(...steps)).toBeLessThanOrEqual(8);
  expect(begun).toEqual(Array.from({ length: 100 }, (_, request) => request));
  await setImmediate();
  expect(few.turn()).toBeUndefined();
});

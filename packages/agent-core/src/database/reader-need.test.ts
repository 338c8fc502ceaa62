import { expect, test } from "vitest";
import { ReaderNeed } from "./reader-need.ts";

/** Reports `perSecond` conflicts a second to `need`, evenly, from `from` to `to` (seconds). @returns when it was true */
function meet(need: ReaderNeed, perSecond: number, from: number, to: number): number | undefined {
  for (let i = 0; i < (to - from) * perSecond; i += 1) {
    const now = from * 1_000 + (i * 1_000) / perSecond;
    if (need.met(now)) return now / 1_000;
  }
  return undefined;
}

test("a reading thread pays when reads and commits compete for some seconds", () => {
  expect(meet(new ReaderNeed(), 200, 10, 20)).toBe(13);
  expect(meet(new ReaderNeed(), 10, 10, 60)).toBeUndefined();
});

test("a burst at a start, or one now and then, is no reason for a thread", () => {
  const need = new ReaderNeed();
  for (let at = 10; at < 60; at += 5) expect(meet(need, 200, at, at + 2)).toBeUndefined();
});

test("the thread is of no use any more after five minutes without need", () => {
  const need = new ReaderNeed();
  meet(need, 200, 10, 14);
  expect([need.ended(312_999), need.ended(313_000)]).toEqual([false, true]);
  need.needed(313_000);
  expect(need.ended(600_000)).toBe(false);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { busySpans, createScale, elapsed } from "./scale.ts";
import type { Step } from "./step.ts";

const spans = fc.array(fc.tuple(fc.nat(100_000), fc.nat(5_000)), { maxLength: 20 }).map((pairs) => {
  let at = 0;
  return pairs.map(([gap, length]) => {
    const begin = at + gap + 1;
    at = begin + length;
    return { begin, end: at };
  });
});

test("later is never further left, the whole axis is used, and only gaps are cut", () => {
  fc.assert(
    fc.property(spans, fc.nat(50_000), fc.array(fc.nat(2_500_000), { maxLength: 30 }), (busy, rest, times) => {
      const range = { begin: 0, end: (busy.at(-1)?.end ?? 0) + rest };
      const scale = createScale(range, busy);
      expect(scale.at(0)).toBe(0);
      expect(scale.at(scale.end)).toBeCloseTo(1, 9);
      const positions = times.toSorted((a, b) => a - b).map(scale.at);
      for (const [index, position] of positions.entries())
        expect(position).toBeGreaterThanOrEqual(positions[index - 1] ?? 0);
      for (const cut of scale.cuts) {
        expect(busy.some(({ begin, end }) => begin < cut.end && end > cut.begin)).toBe(false);
        const rate = cut.width / (cut.end - cut.begin);
        for (const { begin, end } of busy) {
          if (end - begin > 100) expect(rate).toBeLessThan((scale.at(end) - scale.at(begin)) / (end - begin));
        }
      }
      const ticks = scale.ticks.map(({ at }) => at);
      expect(ticks).toEqual([...new Set(ticks)].toSorted((a, b) => a - b));
      expect(ticks.length).toBeLessThanOrEqual(10);
    }),
  );
});

test("a wait of minutes amid calls of seconds takes a fifth of the axis", () => {
  const scale = createScale({ begin: 0, end: 304_000 }, [
    { begin: 0, end: 2_000 },
    { begin: 302_000, end: 304_000 },
  ]);
  expect(scale.at(2_000)).toBeCloseTo(2 / 5, 2);
  expect(scale.at(302_000)).toBeCloseTo(3 / 5, 2);
  expect(scale.cuts).toMatchObject([{ begin: 2_000, end: 302_000 }]);
  expect(scale.ticks.map(({ label }) => label)).toEqual(["0", "1 s", "2 s", "5 min 2 s", "5 min 3 s", "5 min 4 s"]);
});

test("what is done last is followed by a cut, where nothing comes for long", () => {
  const { cuts } = createScale({ begin: 0, end: 60_000 }, [{ begin: 0, end: 2_000 }]);
  expect(cuts).toMatchObject([{ begin: 2_000, end: 60_000 }]);
});

function step(begin: number, end: number, more: Partial<Step> = {}): Step {
  const nothing = { ms: undefined, waits: [], usage: null, costUsd: null, note: "", rows: [], branches: [] };
  return { id: `${begin}`, kind: "tool", label: "", state: "done", begin, end, ...nothing, ...more };
}

test("a call is busy except in its waits, a delegating call while its tasks work, and none while queued", () => {
  const waiting = step(10, 100, {
    waits: [
      { begin: 20, end: 50 },
      { begin: 40, end: 60 },
    ],
  });
  expect(busySpans([waiting])).toEqual([
    { begin: 10, end: 20 },
    { begin: 60, end: 100 },
  ]);
  const branches = [{ id: "b", label: "", steps: [step(220, 230), step(225, 240)], more: false }];
  expect(busySpans([step(0, 5, { kind: "queue" }), step(200, 300, { branches })])).toEqual([
    { begin: 200, end: 200 },
    { begin: 220, end: 240 },
    { begin: 300, end: 300 },
  ]);
});

test("without anything done nothing is cut", () => {
  expect(createScale({ begin: 0, end: 60_000 }, []).cuts).toEqual([]);
});

test("elapsed time reads as people count", () => {
  expect([0, 20, 1_500, 4_446, 60_000, 125_000, 7_500_000].map(elapsed)).toEqual([
    ...["0", "20 ms", "1.5 s", "4.446 s", "1 min", "2 min 5 s", "2 h 5 min"],
  ]);
});

import { expect, test } from "vitest";
import { type AxisLabel, axisLabels } from "./axis-labels.ts";
import { createScale, type Scale } from "./scale.ts";

/** A wait of minutes amid calls of seconds. */
const cutWait = createScale({ begin: 0, end: 304_000 }, [
  { begin: 0, end: 2_000 },
  { begin: 302_000, end: 304_000 },
]);

function shownAt(width: number, scale: Pick<Scale, "ticks" | "cuts">): readonly AxisLabel[] {
  return axisLabels(scale)
    .filter(({ from }) => width >= from)
    .toSorted((a, b) => a.at - b.at);
}

test("no two texts touch, however narrow the axis is, and none leaves it", () => {
  for (let width = 100; width <= 1_200; width += 10) {
    let end = Number.NEGATIVE_INFINITY;
    for (const { text, at, before } of shownAt(width, cutWait)) {
      // Six pixels a character, as in the axis' type.
      const begin = at * width - text.length * 6 * before;
      expect(begin, `${text} at ${width} px`).toBeGreaterThan(end);
      end = begin + text.length * 6;
      expect(end).toBeLessThanOrEqual(width + 1e-6);
    }
  }
});

test("where there is room for all, all are shown; where there is little, the ends stay", () => {
  const texts = (width: number) => shownAt(width, cutWait).map(({ text }) => text);
  expect(texts(900)).toEqual(["0", "1 s", "2 s", "5 min 0 s", "5 min 2 s", "5 min 3 s", "5 min 4 s"]);
  expect(texts(288)).toEqual(["0", "1 s", "5 min 0 s", "5 min 4 s"]);
  expect(texts(80)).toEqual(["0", "5 min 4 s"]);
});

test("times are thinned out evenly", () => {
  const ticks = [0, 1, 2, 3, 4].map((no) => ({ at: no / 4, label: `${no} min 0 s` }));
  expect(shownAt(220, { ticks, cuts: [] }).map(({ at }) => at)).toEqual([0, 0.5, 1]);
  expect(shownAt(400, { ticks, cuts: [] })).toHaveLength(5);
});

test("of two texts at one position only one is shown, and an axis without ticks has no texts", () => {
  const ticks = [0, 0.5, 0.5, 1].map((at) => ({ at, label: "0" }));
  expect(shownAt(10_000, { ticks, cuts: [] })).toHaveLength(3);
  expect(axisLabels({ ticks: [], cuts: [] })).toEqual([]);
});

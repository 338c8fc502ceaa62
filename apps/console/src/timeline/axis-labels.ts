import { duration } from "../ui/index.ts";
import type { Scale } from "./scale.ts";

/** A text above the axis. */
export interface AxisLabel {
  readonly text: string;
  /** Its position on the axis, 0 to 1. */
  readonly at: number;
  /** How much of the text is before that position, 0 to 1: none at the left end, all at the right end. */
  readonly before: number;
  /** Minimum width of the axis in pixels for the text to fit beside those of more weight. */
  readonly from: number;
  /** The text is the length of a cut and not a time. */
  readonly ofCut: boolean;
}

/** Pixels of a character in the axis' font, the average of `5 min 0 s`. */
const CHARACTER = 6;
/** Pixels between texts, so that two do not read as one. */
const BETWEEN = 8;

/**
 * The texts of an axis in order of weight, each with the width from which on it is shown: the ends, the lengths of the
 * cuts, and then times ever closer to each other. The widths are estimates, so a page without scripts has them too.
 */
export function axisLabels({ ticks, cuts }: Pick<Scale, "ticks" | "cuts">): readonly AxisLabel[] {
  const times = ticks.map(({ at, label }) => ({ text: label, at, before: at, from: widthOf(label), ofCut: false }));
  const lengths = cuts.map(({ at, width, begin, end }) => {
    const text = duration(end - begin);
    return { text, at: at + width / 2, before: 0.5, from: widthOf(text) / width, ofCut: true };
  });
  const first = times.slice(0, 1);
  const last = times.slice(1).slice(-1);
  const placed: AxisLabel[] = [];
  for (const label of [...first, ...last, ...lengths, ...halving(times.slice(1, -1))]) {
    placed.push({ ...label, from: Math.max(label.from, ...placed.map((other) => roomBeside(label, other))) });
  }
  return placed;
}

function widthOf(text: string): number {
  return text.length * CHARACTER;
}

/** Minimum width of the axis for `label` not to touch `other`; 0 where the other is not shown at that width. */
function roomBeside(label: AxisLabel, other: AxisLabel): number {
  const [left, right] = label.at < other.at ? [label, other] : [other, label];
  const taken = widthOf(left.text) * (1 - left.before) + BETWEEN + widthOf(right.text) * right.before;
  const room = taken / (right.at - left.at);
  return room > other.from ? room : 0;
}

/** The middle first, then the middles of both halves, and so on. */
function halving<Item>(items: readonly Item[]): readonly Item[] {
  const ordered: Item[] = [];
  const parts = [items];
  for (const part of parts) {
    const middle = Math.floor(part.length / 2);
    const item = part[middle];
    if (item === undefined) continue;
    ordered.push(item);
    parts.push(part.slice(0, middle), part.slice(middle + 1));
  }
  return ordered;
}

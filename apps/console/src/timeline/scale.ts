import type { Span, Step } from "./step.ts";

/** A gap without work, drawn shorter than it was. */
export interface Cut extends Span {
  /** Where it begins on the axis, and how much of the axis it takes: 0 to 1. */
  readonly at: number;
  readonly width: number;
}

/** Maps times to positions on an axis, 0 to 1. */
export interface Scale extends Span {
  /** The position of a time. It never decreases with later times. */
  at(time: number): number;
  readonly cuts: readonly Cut[];
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
}

/** Spans of work, in order and without overlap: calls, but not the waits inside of them. */
export function busySpans(steps: readonly Step[]): readonly Span[] {
  return united(steps.flatMap(busyOf));
}

function busyOf(step: Step): Span[] {
  if (step.branches.length > 0) {
    const inside = step.branches.flatMap(({ steps }) => steps.flatMap(busyOf));
    // The delegated steps show when the call worked, between its begin and its end.
    return [...inside, { begin: step.begin, end: step.begin }, { begin: step.end, end: step.end }];
  }
  if (step.kind === "queue") return [];
  const busy: Span[] = [];
  let from = step.begin;
  for (const wait of united(step.waits)) {
    busy.push({ begin: from, end: Math.max(from, wait.begin) });
    from = Math.max(from, wait.end);
  }
  busy.push({ begin: from, end: Math.max(from, step.end) });
  return busy;
}

function united(spans: readonly Span[]): readonly Span[] {
  const all: { begin: number; end: number }[] = [];
  for (const { begin, end } of spans.toSorted((a, b) => a.begin - b.begin)) {
    const last = all.at(-1);
    if (last !== undefined && begin <= last.end) last.end = Math.max(last.end, end);
    else all.push({ begin, end });
  }
  return all;
}

/** An axis over `range` on which long gaps without work are cut, so that the rest stays legible. */
export function createScale(range: Span, busy: readonly Span[]): Scale {
  const { begin, end } = { begin: range.begin, end: Math.max(range.end, range.begin + 1) };
  const gaps = gapsOf({ begin, end }, busy);
  const done = busy.reduce((sum, span) => sum + lengthOf(span), 0);
  const notable = gaps.filter((gap) => lengthOf(gap) > done / 20).length;
  const most = done > 0 ? done / 4 / Math.max(1, notable) : Number.POSITIVE_INFINITY;
  const long = gaps.filter((gap) => lengthOf(gap) > most * 1.5);
  const shown = end - begin - long.reduce((sum, gap) => sum + lengthOf(gap) - most, 0);
  const at = (time: number): number => {
    const inside = Math.min(end, Math.max(begin, time));
    let cutAway = 0;
    for (const gap of long) {
      if (gap.begin >= inside) break;
      const part = (Math.min(inside, gap.end) - gap.begin) / lengthOf(gap);
      cutAway += part * (lengthOf(gap) - most);
    }
    return Math.min(1, Math.max(0, (inside - begin - cutAway) / shown));
  };
  const cuts = long.map((gap) => ({ ...gap, at: at(gap.begin), width: at(gap.end) - at(gap.begin) }));
  return { begin, end, at, cuts, ticks: ticksOf({ begin, end }, long, shown, at) };
}

function lengthOf({ begin, end }: Span): number {
  return end - begin;
}

function gapsOf({ begin, end }: Span, busy: readonly Span[]): readonly Span[] {
  const gaps: Span[] = [];
  let from = begin;
  for (const span of busy) {
    if (span.begin > from) gaps.push({ begin: from, end: Math.min(end, span.begin) });
    from = Math.max(from, span.end);
  }
  if (from < end) gaps.push({ begin: from, end });
  return gaps.filter((gap) => lengthOf(gap) > 0);
}

/** Milliseconds between ticks: units that people count in. */
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000],
  ...[60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 21_600_000, 86_400_000],
];
const MOST_TICKS = 6;
/** Minimum distance of ticks on the axis: nearer ones would overlap. */
const ROOM = 0.11;

function ticksOf({ begin, end }: Span, cuts: readonly Span[], shown: number, at: Scale["at"]): Scale["ticks"] {
  const step = STEPS.find((one) => shown / one <= MOST_TICKS) ?? shown / MOST_TICKS;
  const ticks: { at: number; label: string }[] = [];
  const ends = [...cuts, { begin: end, end }];
  let from = begin;
  for (const cut of ends) {
    for (let tick = Math.ceil((from - begin) / step) * step; begin + tick <= cut.begin; tick += step) {
      const position = at(begin + tick);
      if (position - (ticks.at(-1)?.at ?? -1) >= ROOM) ticks.push({ at: position, label: elapsed(tick) });
    }
    from = cut.end;
  }
  return ticks;
}

/** Time since the beginning as a label of the axis: `0`, `20 ms`, `1.5 s`, `2 min 5 s`. */
export function elapsed(ms: number): string {
  if (ms === 0) return "0";
  if (ms < 1_000) return `${ms} ms`;
  const minutes = Math.floor(ms / 60_000);
  const seconds = Math.round(ms % 60_000) / 1_000;
  if (minutes === 0) return `${seconds} s`;
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return seconds === 0 ? `${minutes} min` : `${minutes} min ${seconds} s`;
}

import type { ReportedBound } from "./reported-bound.ts";

/** What `pnpm bounds` prints, and whether every bound was reported and is held. */
export interface BoundsTable {
  readonly lines: readonly string[];
  readonly isHeld: boolean;
}

const COLUMNS = ["what", "found", "bound", "held"] as const;

/** A row for each of `expected`, in that order, then for what was reported beside it. */
export function boundsTable(expected: readonly string[], reported: readonly ReportedBound[]): BoundsTable {
  const named = new Set(expected);
  const missing = expected.filter((what) => !reported.some((bound) => bound.what === what));
  const others = reported.filter(({ what }) => !named.has(what));
  const listed = expected.flatMap((what) => reported.filter((bound) => bound.what === what));
  const shownBounds = [...listed, ...others];
  const rows = [
    ...shownBounds.map((bound) => rowOf(bound)),
    ...missing.map((what) => [what, "–", "–", "NOT REPORTED"]),
  ];
  const widths = COLUMNS.map((column, at) => Math.max(column.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd();
  return {
    lines: [line(COLUMNS), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)],
    isHeld: missing.length === 0 && shownBounds.every((bound) => isWithin(bound)),
  };
}

/** A bound without a limit, or with a figure that is no number, is not held. */
function isWithin({ found, most, least }: ReportedBound): boolean {
  if (!Number.isFinite(found) || (most === undefined && least === undefined)) return false;
  return (most === undefined || found <= most) && (least === undefined || found >= least);
}

function rowOf(bound: ReportedBound): readonly string[] {
  const { what, found, most, least, unit } = bound;
  const limits = [
    ...(least === undefined ? [] : [`at least ${shown(least)}`]),
    ...(most === undefined ? [] : [`at most ${shown(most)}`]),
  ];
  return [what, `${shown(found)} ${unit}`, limits.join(", "), isWithin(bound) ? "yes" : "NO"];
}

/** JSON has no NaN: null is left of it. */
function shown(value: number | null): string {
  return value === null ? "–" : value.toLocaleString("en", { maximumFractionDigits: 2 });
}

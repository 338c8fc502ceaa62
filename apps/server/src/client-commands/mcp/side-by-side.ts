import { clean } from "../terminal-text.ts";

/** Columns of a half below which the halves are no longer readable. */
const MIN_HALF = 20;

/**
 * Two texts beside each other, lines that differ with a mark between them. The lines that both begin and end with stand
 * level; lines wider than a half go on below.
 */
export function sideBySide(
  left: readonly [title: string, text: string],
  right: readonly [title: string, text: string],
  width: number,
): string {
  const half = Math.max(MIN_HALF, Math.floor((width - 3) / 2));
  const row = (a: string, mark: string, b: string): string => `${a.padEnd(half)} ${mark} ${b}`.trimEnd();
  const lines = level(clean(left[1]).split("\n"), clean(right[1]).split("\n")).flatMap(([a, b]) => {
    const [before, after] = [wrap(a ?? "", half), wrap(b ?? "", half)];
    const mark = a === b ? " " : "|";
    return Array.from({ length: Math.max(before.length, after.length) }, (_, at) =>
      row(before[at] ?? "", mark, after[at] ?? ""),
    );
  });
  return [row(left[0], " ", right[0]), row("-".repeat(half), " ", "-".repeat(half)), ...lines, ""].join("\n");
}

type Pair = readonly [string | undefined, string | undefined];

function level(a: readonly string[], b: readonly string[]): readonly Pair[] {
  const most = Math.min(a.length, b.length);
  let first = 0;
  while (first < most && a[first] === b[first]) first++;
  let last = 0;
  while (last < most - first && a.at(-1 - last) === b.at(-1 - last)) last++;
  const same = (line: string): Pair => [line, line];
  const [restA, restB] = [a.slice(first, a.length - last), b.slice(first, b.length - last)];
  const between = Array.from({ length: Math.max(restA.length, restB.length) }, (_, at): Pair => [restA[at], restB[at]]);
  return [...a.slice(0, first).map(same), ...between, ...a.slice(a.length - last).map(same)];
}

function wrap(line: string, width: number): readonly string[] {
  const text = line.replaceAll("\t", "  ");
  const rows = Math.max(1, Math.ceil(text.length / width));
  return Array.from({ length: rows }, (_, at) => text.slice(at * width, (at + 1) * width));
}

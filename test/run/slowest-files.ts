import type { FileTime } from "./test-counts.ts";

/** Rows of the table. */
const MOST = 15;

/** A table of the files that took longest, and of all together, as lines. */
export function slowestFiles(files: readonly FileTime[]): readonly string[] {
  const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, MOST);
  const line = (ms: number, what: string): string => `${(ms / 1_000).toFixed(1).padStart(8)}  ${what}`;
  const all = files.reduce((sum, { ms }) => sum + ms, 0);
  return [
    " seconds  slowest test files",
    ...slowest.map(({ ms, file }) => line(ms, file)),
    line(all, `all ${files.length} files`),
  ];
}

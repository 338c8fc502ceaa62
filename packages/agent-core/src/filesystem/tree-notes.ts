import type { TreeFindings } from "./tree-threads.ts";

/** Seconds that a search takes at most (F7). */
export const SEARCH_SECONDS = 10;

/** The lines that were found, and below them what is not among them and why. */
export function findingsText({ lines, skipped, ended }: TreeFindings, limit: number): string {
  const left = [
    [skipped.ignored, "ignored"],
    [skipped.binary, "binary"],
    [skipped.large, "over 4 MiB"],
    [skipped.secret, "with names that hold secrets"],
    [skipped.unreadable, "unreadable"],
  ] as const;
  const skips = left.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]));
  const notes = [
    ...(ended === "limit" ? [`[there is more: the first ${Math.min(limit, lines.length)} are shown]`] : []),
    ...(ended === "time" ? [`[ended after ${SEARCH_SECONDS} s: there may be more]`] : []),
    ...(skips.length === 0 ? [] : [`[left out: ${skips.join(", ")}]`]),
  ];
  return [...(lines.length === 0 ? ["Nothing was found."] : lines), ...notes].join("\n");
}

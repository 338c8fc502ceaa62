import { findInTree } from "./find-in-tree.ts";
import { TextSearch } from "./search-in-tree.ts";
import type { TreeJob, TreePart } from "./tree-message.ts";
import { TreeWalk } from "./walk-tree.ts";

/** Milliseconds between two parts. */
const PART_MS = 50;

/** Looks through a tree, and hands over lines as they are found. It takes the thread that calls it. */
export function runTreeJob(job: TreeJob, onPart: (part: TreePart) => void): void {
  const deadline = performance.now() + job.deadlineMs;
  const isLate = (): boolean => performance.now() > deadline;
  const walk = new TreeWalk(job.start, isLate);
  const post = (lines: readonly string[], ended?: TreePart["ended"]): void =>
    onPart({ lines, skipped: { ...walk.skipped }, ...(ended && { ended }) });
  if (job.kind === "find") {
    const { lines, isCut } = findInTree(job, walk);
    post(lines, isLate() ? "time" : isCut ? "limit" : "all");
    return;
  }
  let waiting: string[] = [];
  let posted = performance.now();
  const search = new TextSearch(job, walk, (lines) => {
    waiting.push(...lines);
    if (performance.now() - posted < PART_MS) return;
    post(waiting);
    waiting = [];
    posted = performance.now();
  });
  search.run();
  post(waiting, search.isCut ? "limit" : isLate() ? "time" : "all");
}

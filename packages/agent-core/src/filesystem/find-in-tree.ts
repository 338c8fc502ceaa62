import { lstatSync } from "node:fs";
import { globOf } from "./glob-of.ts";
import type { FindJob } from "./tree-message.ts";
import type { TreeWalk } from "./walk-tree.ts";

/** Files whose time is looked at to find the newest. */
const MAX_FOUND = 100_000;

/** The paths of the files that are meant, the newest first; more than asked for where there are more. */
export function findInTree(
  { start, glob, limit }: FindJob,
  walk: TreeWalk,
): { readonly lines: string[]; readonly isCut: boolean } {
  const matches = globOf(glob);
  const from = start.path === "" ? 0 : start.path.length + 1;
  const found: { readonly path: string; readonly at: number }[] = [];
  let isCut = false;
  walk.run(({ path, name, folder }) => {
    if (!matches(path.slice(from), name)) return true;
    const stat = lstatSync(folder.at(name), { throwIfNoEntry: false });
    if (stat?.isFile() !== true) return true;
    if (found.length === MAX_FOUND) {
      isCut = true;
      return false;
    }
    found.push({ path, at: stat.mtimeMs });
    return true;
  });
  found.sort((a, b) => b.at - a.at || (a.path < b.path ? -1 : 1));
  return { lines: found.slice(0, limit).map(({ path }) => path), isCut: isCut || found.length > limit };
}

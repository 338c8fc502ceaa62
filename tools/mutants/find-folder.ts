import { globSync } from "node:fs";

/** The one source folder whose path ends in the name, relative to the root: `journal`, `chat/live`, a whole path. */
export function findFolder(root: string, name: string): string {
  const wanted = name.replace(/^\.\//, "").replace(/\/$/, "");
  const ends = globSync(["packages/*/src", "apps/*/src", "packages/*/src/**/", "apps/*/src/**/"], { cwd: root })
    .map((folder) => folder.replace(/\/$/, ""))
    .filter((folder) => `/${folder}`.endsWith(`/${wanted}`));
  const folders = [...new Set(ends)].sort();
  const [first, ...others] = folders;
  if (first === undefined) throw new Error(`No source folder is called ${wanted}`);
  if (others.length > 0) throw new Error(`${wanted} is ambiguous: ${folders.join(", ")}`);
  return first;
}

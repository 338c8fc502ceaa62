import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** The text of every file the rules look at, by its path from the repository's root, with forward slashes. */
export type SourceTree = ReadonlyMap<string, string>;

const roots = ["packages", "apps", "examples", "bench", "test", "docs"];
const skippedFolders: ReadonlySet<string> = new Set(["node_modules", "dist", ".cache", ".turbo", "coverage", "out"]);
const readExtensions: ReadonlySet<string> = new Set([
  ".ts",
  ".tsx",
  ".mts",
  ".js",
  ".mjs",
  ".json",
  ".md",
  ".css",
  ".sql",
]);

/**
 * Reads the working tree. Build output and installed packages are left out; a file of another kind (a licence, an
 * image) is listed with an empty text, because its name is still checked.
 */
export function readSourceTree(root: string): SourceTree {
  const files = new Map<string, string>();
  const visit = (folder: string): void => {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!skippedFolders.has(entry.name)) visit(name);
      } else if (entry.isFile()) {
        files.set(name, readExtensions.has(path.extname(name)) ? readFileSync(path.join(root, name), "utf8") : "");
      }
    }
  };
  const present = new Set(readdirSync(root));
  for (const folder of roots) if (present.has(folder)) visit(folder);
  return files;
}

/** A tree held in memory: what the tests of the rules break on purpose. */
export function treeOf(files: Readonly<Record<string, string>>): SourceTree {
  return new Map(Object.entries(files));
}

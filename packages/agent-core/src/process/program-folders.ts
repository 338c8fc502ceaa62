import { fileURLToPath } from "node:url";

/** Folders that a program of this engine is read from, beside the one that `entry` lies in: it has no way to read others. */
export function programFolders(entry: string, packages: readonly string[]): string[] {
  const folders = [new URL("./", entry)];
  for (const name of packages) {
    let found: string;
    try {
      found = import.meta.resolve(name);
    } catch {
      // Bundled: the libraries are in the program's folder.
      continue;
    }
    const marker = "/node_modules/";
    folders.push(new URL(found.slice(0, found.indexOf(marker) + marker.length)), new URL("../../", entry));
  }
  return [...new Set(folders.map((folder) => fileURLToPath(folder)))];
}

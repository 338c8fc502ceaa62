import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Reads at most, each from the start: a running service does not replace its files that often. */
const MOST_READS = 1_000;

/** A file and its bytes. */
export interface FileBelow {
  readonly path: string;
  readonly bytes: Buffer;
}

/** The files below a folder. Where a running service replaces or removes one of them meanwhile, all are read again. */
export function filesBelow(folder: string): readonly FileBelow[] {
  for (let reads = 1; ; reads++) {
    try {
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      return files
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => ({ path, bytes: readFileSync(path) }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || reads === MOST_READS) throw error;
    }
  }
}

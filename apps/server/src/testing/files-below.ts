import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Maximum number of attempts, each from the start. */
const MOST_READS = 1_000;

export interface FileBelow {
  readonly path: string;
  readonly bytes: Buffer;
}

/** Reads the files below a folder, again from the start if a running service removes or renames one of them meanwhile. */
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

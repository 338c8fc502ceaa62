import { statSync } from "node:fs";
import { DatabaseError } from "./database-error.ts";

/** The identity of a file as it was opened: differs from that of another file of the same name. */
export interface FoundFile {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
}

/** The files of an open store: itself, its log, and the log's index. One in memory has none. */
export function findStoreFiles(path: string): FoundFile[] {
  if (path === ":memory:") return [];
  return [path, `${path}-wal`, `${path}-shm`].flatMap((file) => {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? [] : [{ path: file, device: found.dev, inode: found.ino }];
  });
}

/**
 * A file that is deleted or replaced stays open for whoever has it open: what is written to it goes with the process,
 * without any error.
 * @throws DatabaseError `file_lost` when one of the files is not there any more, or is another one
 */
export function checkStoreFiles(files: readonly FoundFile[]): void {
  for (const { path, device, inode } of files) {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (found !== undefined && found.dev === device && found.ino === inode) continue;
    const what = found === undefined ? "was deleted" : "was replaced by another file";
    throw new DatabaseError("file_lost", `${path} ${what} while the store was open; nothing more is committed`);
  }
}

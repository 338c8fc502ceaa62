import { lstatSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
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

/** Longer than the steps in which any file system notes when a folder changed. */
const NOTED_MS = 3_000;

/**
 * The files of an open store, looked at behind every group of commits. A file that is deleted, renamed or replaced changes
 * its folder, so one look at the folder mostly does for the three.
 */
export class StoreFiles {
  readonly files: readonly FoundFile[];
  /** Undefined: the file is a link to another folder, whose changes would not show. */
  readonly #folder: string | undefined;
  #seen: Pick<Stats, "dev" | "ino" | "mtimeMs" | "ctimeMs"> | undefined;
  #seenSince = 0;
  #compared = false;
  readonly #now: () => number;

  /** `now`: milliseconds, never set back. */
  constructor(files: readonly FoundFile[], now = () => performance.now()) {
    this.files = files;
    this.#now = now;
    const [store] = files;
    const found = store && lstatSync(store.path, { throwIfNoEntry: false });
    if (store !== undefined && found?.isSymbolicLink() === false) this.#folder = dirname(store.path);
  }

  /** Looks at each file. @throws DatabaseError `file_lost` */
  check(): void {
    checkStoreFiles(this.files);
  }

  /** Looks at each file, unless their folder is as it was when they were last looked at. @throws DatabaseError `file_lost` */
  checkChanged(): void {
    const folder = this.#folder === undefined ? undefined : statSync(this.#folder, { throwIfNoEntry: false });
    const same = folder !== undefined && this.#isAsSeen(folder);
    if (same && this.#compared) return;
    this.check();
    // Two changes within one step bear the same time. Once a step has passed, a further change bears another.
    if (same) this.#compared = this.#now() - this.#seenSince >= NOTED_MS;
    else {
      this.#seen = folder;
      this.#seenSince = this.#now();
      this.#compared = false;
    }
  }

  #isAsSeen({ dev, ino, mtimeMs, ctimeMs }: Stats): boolean {
    const seen = this.#seen;
    return seen?.mtimeMs === mtimeMs && seen.ctimeMs === ctimeMs && seen.ino === ino && seen.dev === dev;
  }
}

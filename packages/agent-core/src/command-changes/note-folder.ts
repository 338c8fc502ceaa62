/** What is kept of a command's note while it runs: a folder of the service's user alone, found again after a crash. */
import { mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ChangeOwner } from "../file-history/index.ts";

/** What a project's repository said before the command. Paths count from the project's folder. */
export interface RepositoryNote {
  /** The repository's folder, and the way from there to the project's. */
  readonly top: string;
  readonly prefix: string;
  readonly commonDir: string;
  /** Our copy of its index and its `HEAD`. */
  readonly gitDir: string;
  /** Files that are not as the index has them. */
  readonly changed: readonly string[];
  readonly untracked: readonly string[];
  /** Folders with a repository of their own. */
  readonly repositories: readonly string[];
}

/** What a note is of. */
export interface NoteHead {
  readonly owner: ChangeOwner;
  readonly project: string;
  readonly root: string;
  /** The id before those of changes that were made since. */
  readonly since: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** There are more files than were noted. */
  readonly isCut: boolean;
  /** Undefined: the folder is in no repository, or in one that cannot be read. */
  readonly repository: RepositoryNote | undefined;
}

const HEAD = "head.json";

/** Makes the folder of a note; the folder of notes, and its own, may be missing. */
export async function makeNoteFolder(folder: string, id: string): Promise<string> {
  for (const above of [dirname(folder), folder])
    await mkdir(above, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  const path = join(folder, id);
  await mkdir(path, { mode: 0o700 });
  return path;
}

/** Makes a note whole: it is on the disk when this resolves, and counts from then on. */
export async function writeNoteHead(folder: string, head: NoteHead): Promise<void> {
  const file = await open(join(folder, HEAD), "wx", 0o600);
  try {
    await file.writeFile(JSON.stringify(head));
    await file.sync();
  } finally {
    await file.close();
  }
  if (head.repository !== undefined) await sync(join(head.repository.gitDir, "index"));
  await sync(folder);
  await sync(dirname(folder));
}

/** Undefined: the note is not whole, so its command was not started. */
export async function readNoteHead(folder: string): Promise<NoteHead | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, HEAD), "utf8")) as NoteHead;
  } catch {
    return undefined;
  }
}

/** The folders of notes, oldest first. */
export async function noteFolders(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.toSorted((a, b) => (a < b ? -1 : 1)).map((name) => join(folder, name));
}

export async function removeNote(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** A repository before its first file has no index. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, "r").catch(() => undefined);
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}

/** Compares the files of a project with what was noted of them before a command. */
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { isSecretLike } from "../file-name/index.ts";
import { countLineChanges } from "../line-changes/index.ts";
import { digestOf, isSameUnread, modeOf, sideOf, unreadSide } from "./file-side.ts";
import type { CleanFile, Compared, CompareJob, Difference, FileSide, NotedFile, NoteFile } from "./note-message.ts";
import { type FoundFile, ProjectTree, statText } from "./project-tree.ts";
import { NOTED_FILES } from "./take-note.ts";

/** As the history of files knows files. */
const MOST_FILE_BYTES = 8 * 1_048_576;
/** Milliseconds by which the clock of a file system may be behind. */
const CLOCK_MS = 20n;

type Before = NonNullable<Difference["before"]> & Pick<Difference, "reason">;

export function compareNote(job: CompareJob): Compared {
  const deadline = performance.now() + job.deadlineMs;
  const isOver = (): boolean => performance.now() > deadline;
  const tree = new ProjectTree(job.root, isOver);
  const comparison = new Comparison(job, tree);
  let isLate = false;
  try {
    for (const path of comparison.paths()) {
      isLate = isOver();
      if (isLate) break;
      comparison.look(path);
    }
    return { differences: comparison.differences(), more: comparison.more, isLate: isLate || isOver() };
  } finally {
    comparison.close();
    tree.close();
  }
}

class Comparison {
  more = 0;
  readonly #found: (Difference & { readonly isOlder: boolean })[] = [];
  /** Whether what is ignored may be otherwise than before. */
  #hasNewRules = false;
  readonly #job: CompareJob;
  readonly #tree: ProjectTree;
  readonly #noted: ReadonlyMap<string, NotedFile>;
  readonly #clean: ReadonlyMap<string, CleanFile>;
  readonly #files = new Map<NoteFile, number>();

  constructor(job: CompareJob, tree: ProjectTree) {
    this.#job = job;
    this.#tree = tree;
    this.#noted = new Map(readNoted(job.folder).map((file) => [file.path, file]));
    this.#clean = new Map(job.clean.map((file) => [file.path, file]));
  }

  /** All that may differ, in order. */
  paths(): readonly string[] {
    const { paths, folders } = this.#job;
    const all = new Set([...paths, ...this.#noted.keys(), ...this.#clean.keys()]);
    for (const folder of folders) this.#tree.walk(folder, ({ path }) => all.add(path) !== undefined);
    return [...all].sort();
  }

  look(path: string): void {
    const found = this.#tree.at(path);
    const noted = this.#noted.get(path);
    if (noted !== undefined && found !== undefined && statText(found.stat) === noted.stat) return;
    const clean = this.#clean.get(path);
    const before = noted === undefined ? clean && this.#cleanBefore(clean, found) : notedBefore(noted);
    if (before === undefined && (found === undefined || !this.#isSince(found))) return;
    const isSecret = isSecretLike(path);
    const after = found && this.#after(found, isSecret);
    const isSame = before !== undefined && found !== undefined && isSameUnread(before, found.stat);
    if ((isSame || before?.digest === after?.side.digest) && before?.mode === after?.side.mode) return;
    if (path === ".gitignore" || path.endsWith("/.gitignore")) this.#hasNewRules = true;
    if (this.#found.length >= this.#job.most) {
      this.more++;
      return;
    }
    this.#found.push({
      path,
      before: before && sideBefore(isSame && after !== undefined ? { ...before, digest: after.side.digest } : before),
      after: after?.side,
      ...this.#counted(before, after?.content, found === undefined),
      reason: isSecret ? "secret" : before?.reason,
      isOlder: found !== undefined && isBefore(found.stat.birthtimeNs, this.#job.startedAt),
    });
  }

  /**
   * What was found. A file that lay there before without being noted, or that came from where nothing is noted, cannot be
   * told from a new one by its place: taking it back would remove it for good.
   */
  differences(): readonly Difference[] {
    const known = new Set(this.#found.flatMap(({ before }) => (before?.from === undefined ? [] : [before.digest])));
    return this.#found.map(({ isOlder, ...found }) => {
      const { before, after, reason } = found;
      if (before !== undefined || after === undefined || reason !== undefined) return found;
      const isNew = !this.#job.isCut && !this.#hasNewRules && (!isOlder || known.has(after.digest));
      if (isNew) return found;
      // Of one beyond the bounds of the note it is known that it was there, and nothing else.
      const unknown = { digest: "unread:beyond", mode: after.mode, bytes: 0 };
      return { ...found, ...(this.#job.isCut && isOlder && { before: unknown, added: 0 }), reason: "not_kept" };
    });
  }

  close(): void {
    for (const fd of this.#files.values()) closeSync(fd);
  }

  /** Whether it was changed since the note was begun. Of a file that was not noted, nothing else is known. */
  #isSince({ stat }: FoundFile): boolean {
    return !this.#job.isCut || !isBefore(stat.ctimeNs, this.#job.startedAt);
  }

  #after(found: FoundFile, isSecret: boolean): { readonly side: FileSide; readonly content?: Buffer } {
    const { stat } = found;
    if (stat.isSymbolicLink() || isSecret) return { side: unreadSide(stat, false) };
    const read = this.#tree.read(found, MOST_FILE_BYTES);
    if (read === undefined) return { side: unreadSide(stat, true) };
    return { side: sideOf(read.content, read.stat), content: read.content };
  }

  #cleanBefore({ mode, blob, bytes, at, reason }: CleanFile, found: FoundFile | undefined): Before {
    const isLink = mode === "120000";
    const side = { mode: isLink ? 0o777 : modeBefore(mode, found), bytes };
    if (isLink) return { ...side, digest: `link:${blob}`, reason: "link" };
    if (at === undefined) return { ...side, digest: `blob:${blob}`, reason: reason ?? "not_kept" };
    const content = this.#read("blobs", at, bytes);
    return { ...side, digest: digestOf(content), from: { file: "blobs", at }, reason: undefined };
  }

  /** Lines that were added and removed, where both contents are known. */
  #counted(
    before: Before | undefined,
    after: Buffer | undefined,
    isGone: boolean,
  ): Pick<Difference, "added" | "removed"> {
    const isKnown = (before === undefined || before.from !== undefined) && (isGone || after !== undefined);
    if (!isKnown) return { added: 0, removed: 0 };
    return countLineChanges(before?.from && this.#read(before.from.file, before.from.at, before.bytes), after);
  }

  #read(file: NoteFile, at: number, bytes: number): Buffer {
    const fd = this.#files.get(file) ?? openSync(join(this.#job.folder, file), "r");
    this.#files.set(file, fd);
    const content = Buffer.alloc(bytes);
    for (let done = 0; done < bytes; ) {
      const read = readSync(fd, content, done, bytes - done, at + done);
      if (read === 0) throw new Error("the note was cut off");
      done += read;
    }
    return content;
  }
}

function readNoted(folder: string): readonly NotedFile[] {
  try {
    const lines = readFileSync(join(folder, NOTED_FILES), "utf8").split("\n");
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as NotedFile);
  } catch (error) {
    // A clean repository has nothing to note.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function notedBefore({ digest, mode, bytes, at, reason }: NotedFile): Before {
  return { digest, mode, bytes, ...(at !== undefined && { from: { file: "contents", at } }), reason };
}

function sideBefore({ reason: _, ...side }: Before): NonNullable<Difference["before"]> {
  return side;
}

/** Of permissions git knows only whether a file may be executed. */
function modeBefore(mode: string, found: FoundFile | undefined): number {
  const wasExecutable = mode === "100755";
  if (found === undefined || !found.stat.isFile()) return wasExecutable ? 0o755 : 0o644;
  const now = modeOf(found.stat);
  if (((now & 0o100) !== 0) === wasExecutable) return now;
  return wasExecutable ? now | ((now & 0o444) >> 2) : now & ~0o111;
}

function isBefore(nanoseconds: bigint, milliseconds: number): boolean {
  return nanoseconds > 0n && nanoseconds < (BigInt(milliseconds) - CLOCK_MS) * 1_000_000n;
}

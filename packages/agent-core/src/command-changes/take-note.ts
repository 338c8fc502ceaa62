/** Notes files before a command: what each is, and of those that are not too large what they hold. */
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { IrreversibleReason } from "../file-history/index.ts";
import { isSecretLike } from "../file-name/index.ts";
import { modeOf, sideOf, unreadSide } from "./file-side.ts";
import type { NotedFile, NoteJob, NoteTaken } from "./note-message.ts";
import { type FoundFile, ProjectTree, statText } from "./project-tree.ts";

/** Bytes of contents that are asked about together. */
const BATCH_BYTES = 4 * 1_048_576;
const BATCH_FILES = 500;

/** Which of these contents hold a secret. */
export type HoldSecrets = (contents: readonly Uint8Array[]) => Promise<readonly boolean[]>;

/** The names of a note's files. */
export const NOTED_FILES = "files.jsonl";
export const NOTED_CONTENTS = "contents";

/** It is on the disk when this resolves. */
export async function takeNote(job: NoteJob, holdSecrets: HoldSecrets): Promise<NoteTaken> {
  const deadline = performance.now() + job.deadlineMs;
  const isLate = (): boolean => performance.now() > deadline;
  const tree = new ProjectTree(job.root, isLate);
  const files = new NoteWriter(job.folder, holdSecrets);
  try {
    const { paths, isCut } = pathsOf(job, tree, isLate);
    for (const path of paths) {
      const found = tree.at(path);
      if (found !== undefined) await note(job, tree, found, files, isLate());
    }
    await files.end();
    return { noted: files.count, isCut };
  } finally {
    files.close();
    tree.close();
  }
}

/** The files that are noted, in the order of their paths. */
function pathsOf(
  { paths, folders, limits }: NoteJob,
  tree: ProjectTree,
  isLate: () => boolean,
): { readonly paths: readonly string[]; readonly isCut: boolean } {
  const all = new Set(paths.slice(0, limits.files));
  let isCut = paths.length > limits.files;
  for (const folder of folders)
    tree.walk(folder, ({ path }) => {
      if (all.size >= limits.files) isCut = true;
      else all.add(path);
      return !isCut;
    });
  return { paths: [...all].sort(), isCut: isCut || isLate() };
}

async function note(
  { keep, limits }: NoteJob,
  tree: ProjectTree,
  found: FoundFile,
  files: NoteWriter,
  isLate: boolean,
): Promise<void> {
  const { path, stat } = found;
  const unread = (reason: IrreversibleReason): NotedFile => {
    return { path, stat: statText(stat), ...unreadSide(stat, reason === "too_large"), reason };
  };
  if (stat.isSymbolicLink()) return files.add(unread("link"));
  if (isSecretLike(path)) return files.add(unread("secret"));
  if (!keep) return files.add(unread("history_off"));
  if (Number(stat.size) > limits.fileBytes) return files.add(unread("too_large"));
  if (isLate || files.bytes + Number(stat.size) > limits.totalBytes) return files.add(unread("not_kept"));
  const read = tree.read(found, limits.fileBytes);
  if (read === undefined) return files.add(unread("not_kept"));
  const { digest, bytes } = sideOf(read.content, read.stat);
  await files.addContent({ path, stat: statText(read.stat), digest, mode: modeOf(read.stat), bytes }, read.content);
}

class NoteWriter {
  /** Of the contents. */
  bytes = 0;
  count = 0;
  readonly #holdSecrets: HoldSecrets;
  readonly #files: number;
  readonly #contents: number;
  #lines: string[] = [];
  #waiting: { readonly file: NotedFile; readonly content: Uint8Array }[] = [];
  #waitingBytes = 0;
  /** Where the next content begins in the file of contents. */
  #at = 0;

  constructor(folder: string, holdSecrets: HoldSecrets) {
    this.#holdSecrets = holdSecrets;
    this.#files = openSync(join(folder, NOTED_FILES), "wx", 0o600);
    this.#contents = openSync(join(folder, NOTED_CONTENTS), "wx", 0o600);
  }

  add(file: NotedFile): void {
    this.count++;
    this.#lines.push(JSON.stringify(file));
    if (this.#lines.length >= BATCH_FILES) this.#writeLines();
  }

  async addContent(file: NotedFile, content: Uint8Array): Promise<void> {
    this.#waiting.push({ file, content });
    this.#waitingBytes += content.byteLength;
    this.bytes += content.byteLength;
    if (this.#waitingBytes >= BATCH_BYTES || this.#waiting.length >= BATCH_FILES) await this.#flush();
  }

  async end(): Promise<void> {
    await this.#flush();
    this.#writeLines();
    fsyncSync(this.#contents);
    fsyncSync(this.#files);
  }

  close(): void {
    closeSync(this.#files);
    closeSync(this.#contents);
  }

  async #flush(): Promise<void> {
    const waiting = this.#waiting;
    [this.#waiting, this.#waitingBytes] = [[], 0];
    if (waiting.length === 0) return;
    const secret = await this.#holdSecrets(waiting.map(({ content }) => content));
    const kept: Uint8Array[] = [];
    for (const [index, { file, content }] of waiting.entries()) {
      if (secret[index] !== false) {
        this.add({ ...file, reason: "secret" });
        continue;
      }
      this.add({ ...file, at: this.#at });
      this.#at += content.byteLength;
      kept.push(content);
    }
    writeAll(this.#contents, Buffer.concat(kept));
  }

  #writeLines(): void {
    writeAll(this.#files, Buffer.from(this.#lines.map((line) => `${line}\n`).join("")));
    this.#lines = [];
  }
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}

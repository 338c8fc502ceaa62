/**
 * What commands write, kept while they run and until the journal of their task goes (F29): one file each, of the service's
 * user alone, without known secrets, at most 10 MiB.
 */
import { createHash } from "node:crypto";
import { mkdir, open, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import type { Redactor } from "../redaction/index.ts";

/** Bytes kept of one command. */
export const SPOOL_BYTES = 10 * 1024 * 1024;
/** Bytes of one answer. */
const PAGE_BYTES = 64 * 1024;
/** Characters of a line without an end that are held back, for they may be the beginning of a secret. */
const HELD_CHARS = 4_096;
const LONG_LINE_CHARS = 64 * 1024;

/** A command by its task and its call. */
export interface CommandKey {
  readonly task: string;
  readonly call: string;
}

/** A part of what a command wrote. */
export interface OutputPage {
  readonly text: string;
  /** Where the next part begins. */
  readonly next: number;
  /** No more will come. */
  readonly done: boolean;
  /** Kept until now. */
  readonly bytes: number;
  /** It wrote more than is kept. */
  readonly truncated: boolean;
}

interface Writing {
  bytes: number;
  truncated: boolean;
}

/** What receives the output of one command. */
export interface OutputSink {
  add(chunk: Buffer): void;
  /** Resolves once all is written. */
  close(): Promise<void>;
}

function nameOf(id: string): string {
  return /^[A-Za-z0-9_-]{1,100}$/.test(id) ? id : createHash("sha256").update(id).digest("hex");
}

/** Where the end of the last whole line is, or of what may be shown of a line that does not end. */
function showable(text: string): number {
  const line = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1;
  return text.length - line > LONG_LINE_CHARS ? text.length - HELD_CHARS : line;
}

/** The files of one instance. */
export class OutputSpool {
  readonly #folder: string;
  readonly #makeFolder: (() => void) | undefined;
  readonly #redactor: Pick<Redactor, "known">;
  readonly #open = new Map<string, Writing>();

  /** `makeFolder` makes `folder` where it is missing, before the first file of a command. */
  constructor(folder: string, makeFolder: (() => void) | undefined, redactor: Pick<Redactor, "known">) {
    this.#folder = folder;
    this.#makeFolder = makeFolder;
    this.#redactor = redactor;
  }

  /** Begins the file of a command. `changed` is called after pieces of it were written. */
  begin(key: CommandKey, changed: (bytes: number) => void): OutputSink {
    const path = this.#path(key);
    const writing: Writing = { bytes: 0, truncated: false };
    this.#open.set(path, writing);
    const decoder = new StringDecoder("utf8");
    let held = "";
    // A full disk takes the rest of it.
    const lost = (): void => {
      writing.truncated = true;
    };
    let last: Promise<void> = this.#make(path).catch(lost);
    const write = (text: string): void => {
      if (text === "" || writing.truncated) return;
      const bytes = Buffer.from(this.#redactor.known(text));
      const room = SPOOL_BYTES - writing.bytes;
      const kept = bytes.subarray(0, room);
      writing.bytes += kept.length;
      if (bytes.length > room) writing.truncated = true;
      last = last
        .then(() => writeFile(path, kept, { flag: "a", mode: 0o600 }))
        .catch(lost)
        .then(() => changed(writing.bytes));
    };
    return {
      add(chunk) {
        if (writing.truncated) return;
        held += decoder.write(chunk);
        const end = showable(held);
        write(held.slice(0, end));
        held = held.slice(end);
      },
      close: async () => {
        write(held + decoder.end());
        await last;
        this.#open.delete(path);
      },
    };
  }

  /** The file of a command. The folder of the instance is the host's to make; one task's may be there already. */
  async #make(path: string): Promise<void> {
    this.#makeFolder?.();
    await mkdir(join(path, ".."), { mode: 0o700 }).catch(() => {});
    await writeFile(path, "", { mode: 0o600 });
  }

  /** What was written from byte `after` on; undefined: nothing of this command is kept. */
  async read(key: CommandKey, after: number): Promise<OutputPage | undefined> {
    const path = this.#path(key);
    const writing = this.#open.get(path);
    const file = await open(path, "r").catch(() => undefined);
    if (file === undefined) return writing === undefined ? undefined : { ...EMPTY, next: after };
    try {
      const { size } = await file.stat();
      const from = Math.min(after, size);
      const { bytesRead, buffer } = await file.read(Buffer.alloc(PAGE_BYTES), 0, PAGE_BYTES, from);
      const text = new StringDecoder("utf8").write(buffer.subarray(0, bytesRead));
      const next = from + Buffer.byteLength(text);
      const truncated = writing?.truncated ?? size >= SPOOL_BYTES;
      // Secrets that were learnt since it was written are taken out of each part.
      return {
        text: this.#redactor.known(text),
        next,
        done: writing === undefined && next >= size,
        bytes: size,
        truncated,
      };
    } finally {
      await file.close();
    }
  }

  /** Removes what is kept of these tasks. */
  async forget(tasks: readonly string[]): Promise<void> {
    for (const task of tasks) await rm(join(this.#folder, nameOf(task)), { recursive: true, force: true });
  }

  /** Removes what is kept of tasks that are gone. */
  async sweep(isThere: (task: string) => Promise<boolean>): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const isBusy = [...this.#open.keys()].some((path) => path.startsWith(`${join(this.#folder, name)}/`));
      if (!isBusy && !(await isThere(name))) await this.forget([name]);
    }
  }

  #path({ task, call }: CommandKey): string {
    return join(this.#folder, nameOf(task), nameOf(call));
  }
}

const EMPTY = { text: "", done: false, bytes: 0, truncated: false } as const;

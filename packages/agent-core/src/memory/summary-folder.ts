/** The files of summaries: one of each conversation, replaced whole. */
import { createHash } from "node:crypto";
import { type FileHandle, open, readFile, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { MemoryError } from "./memory-error.ts";
import { type SessionSummary, SUMMARY_BYTES } from "./session-summary.ts";

/** Names that are names of files everywhere, and none that a hash could have. */
const PLAIN = /^(?!h-[0-9a-f]{40}$)[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/u;
/** Bytes of a file that is read: more than is ever written. */
const MOST_BYTES = 4 * SUMMARY_BYTES;

const text = v.string();
const schema = v.object({
  ...{ session_id: text, timestamp: v.pipe(text, v.isoTimestamp()), topic: text },
  surface: v.picklist(["chat", "a2a/other", "activity", "palette", "background"]),
  message_count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  trace_id: v.optional(v.nullable(text), null),
  outside: v.optional(v.boolean(), true),
  messages: v.array(v.object({ role: v.picklist(["user", "agent"]), text, at: text })),
  tools: v.array(v.object({ name: text, outcome: text })),
  final: text,
});

/** The name of a conversation's file: its id, or a hash of it where that is no name of a file. */
export function summaryFileName(session: string): string {
  const plain = PLAIN.test(session) && !session.endsWith(".");
  return `${plain ? session : `h-${createHash("sha256").update(session).digest("hex").slice(0, 40)}`}.json`;
}

/** The folder of `MEMORY_PATH`. It is made at the first write. */
export class SummaryFolder {
  readonly #path: () => string;
  readonly #makeFolder: (path: string) => void;

  /** `path` is absolute, and asked at each use. `makeFolder` makes a folder with those above it. */
  constructor(path: () => string, makeFolder: (path: string) => void) {
    this.#path = path;
    this.#makeFolder = makeFolder;
  }

  /** Bytes of a conversation's file; undefined: there is none. */
  async size(session: string): Promise<number | undefined> {
    try {
      return (await stat(this.#at(session))).size;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Undefined: there is none. @throws MemoryError damaged */
  async read(session: string): Promise<SessionSummary | undefined> {
    const size = await this.size(session);
    if (size === undefined) return undefined;
    if (size > MOST_BYTES)
      throw new MemoryError("damaged", "the file of this summary is larger than any that is written");
    const parsed = v.safeParse(schema, jsonOf(await readFile(this.#at(session), "utf8")));
    if (!parsed.success || parsed.output.session_id !== session)
      throw new MemoryError(
        "damaged",
        "the file of this summary cannot be read; delete it, the next turn writes another",
      );
    return parsed.output;
  }

  /** Replaces the file as a whole; resolves with its bytes. @throws when the folder cannot be written */
  async write(summary: SessionSummary): Promise<number> {
    const folder = this.#path();
    this.#makeFolder(folder);
    const temporary = this.#temporaryAt(summary.session_id);
    const content = `${JSON.stringify(summary)}\n`;
    const file = await openNew(temporary);
    try {
      await file.writeFile(content);
      await file.datasync();
    } finally {
      await file.close();
    }
    try {
      await rename(temporary, this.#at(summary.session_id));
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      throw error;
    }
    return Buffer.byteLength(content);
  }

  /** Removes a conversation's file. One that is not there is removed. */
  async remove(session: string): Promise<void> {
    await removed(this.#temporaryAt(session));
    await removed(this.#at(session));
  }

  /** Its own, so that what a kill left of it goes with the conversation. */
  #temporaryAt(session: string): string {
    return join(this.#path(), `.${summaryFileName(session)}.tmp`);
  }

  #at(session: string): string {
    return join(this.#path(), summaryFileName(session));
  }
}

/** A kill may have left one, which is replaced: never written into, for it may be a link. */
async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    await removed(path);
    return open(path, "wx", 0o600);
  }
}

async function removed(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "ENOTDIR";
}

function jsonOf(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

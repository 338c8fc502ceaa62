import { open, readFile } from "node:fs/promises";
import { cursorFile } from "./cursor-file.ts";

/** What the end of an audit log shows to be written. */
export interface Tail {
  /** Everything that ended before this time is written; undefined: nothing is known to be. */
  readonly cursor: number | undefined;
  /** The keys of the newest lines. */
  readonly written: ReadonlySet<string>;
}

/** Bytes of the end that are read. */
const TAIL_BYTES = 8 * 1024 * 1024;

interface Line {
  readonly ts?: unknown;
  readonly task?: unknown;
  readonly seq?: unknown;
}

async function endOf(path: string): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      const length = Math.min(size, TAIL_BYTES);
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
      return buffer.toString("utf8");
    } finally {
      await file.close();
    }
  } catch {
    return "";
  }
}

function parse(text: string): Line | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === "object" && line !== null ? line : undefined;
  } catch {
    // The first line of a cut, or one that a killed process left unfinished.
    return undefined;
  }
}

async function savedCursor(path: string): Promise<number | undefined> {
  const text = await readFile(cursorFile(path), "utf8").catch(() => "");
  const at = (parse(text) as { readonly at?: unknown } | undefined)?.at;
  return typeof at === "number" ? at : undefined;
}

/** Reads the end of a log and of its backup. `keyOf` makes a line's key. A file that is missing or broken shows nothing. */
export async function readTail(path: string, keyOf: (task: string, seq: number) => string): Promise<Tail> {
  const written = new Set<string>();
  for (const file of [`${path}.1`, path]) {
    for (const text of (await endOf(file)).split("\n")) {
      const line = text === "" ? undefined : parse(text);
      if (typeof line?.task === "string" && typeof line.seq === "number") written.add(keyOf(line.task, line.seq));
    }
  }
  return { cursor: await savedCursor(path), written };
}

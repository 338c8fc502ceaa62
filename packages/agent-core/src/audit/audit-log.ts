/**
 * The audit log (B54 `middleware.audit`): one JSON line per tool call that ended, and per act of the operator that is noted,
 * in a file that is rotated.
 *
 * Invariants
 *  AL1  A line holds no secret that is known or looks like one (S5), and of arguments and result only their heads.
 *  AL2  Every call that ended has one line, whenever the process is killed: what it had not written is read from the
 *       journal, and the end of the file shows what stands there.
 *  AL3  The file and its one backup are bounded.
 */
import { appendFile, open, rename, stat, truncate, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type Database, namedStatement } from "../database/index.ts";
import type { CommittedEvent, TaskEvent, TaskView } from "../event/index.ts";
import type { JournalReader } from "../projection/index.ts";
import type { Redactor } from "../redaction/index.ts";
import { cursorFile } from "./cursor-file.ts";
import { readTail, type Tail } from "./read-tail.ts";

export interface AuditLogOptions {
  readonly path: string;
  /** Makes the folder of the file, where it is missing. */
  readonly makeFolder: (path: string) => void;
  readonly redactor: Pick<Redactor, "text">;
  /** Whether calls are written now. */
  readonly enabled: () => boolean;
  /** The arguments of calls, by id, as they were made: `callArguments` over the engine's store. */
  readonly argumentsOf: (calls: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly clock: { now(): number };
  /** The trace that a task belongs to; null, and by default: none. */
  readonly trace?: (task: string, parent: string | undefined) => string | null;
  /** Bytes after which the file is rotated. Default 50 MiB. */
  readonly maxBytes?: number;
}

type Finished = Extract<TaskEvent, { readonly kind: "tool.finished" }>;

/** An act of the operator. Its values are short words, names and codes, never tokens. */
export interface AuditNote {
  readonly event: string;
  readonly [field: string]: string;
}

interface Entry {
  readonly task: string;
  readonly context: string;
  readonly trace: string | undefined;
  readonly seq: number;
  readonly at: number;
  readonly event: Finished;
  /** Undefined: to be read from the store. */
  readonly args: string | undefined;
}

const MAX_BYTES = 50 * 1024 * 1024;
/** Characters of arguments and of a result that a line holds. */
const ARGS_CHARS = 500;
const RESULT_CHARS = 200;
/** The journal's own bound: arguments of that length were cut, maybe inside a secret. */
const PREVIEW_CHARS = 800;
const OVERLAP_MS = 60_000;
/** Notes that wait for a file that cannot be written. */
const MOST_NOTES = 1_000;

const ARGUMENTS = namedStatement("SELECT id, args FROM call WHERE id IN (SELECT value FROM json_each(:ids))");

/** The arguments of calls as JSON text, by id, from the engine's store. @throws DatabaseError */
export async function callArguments(db: Database, calls: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.read(ARGUMENTS.bind({ ids: JSON.stringify(calls) }));
  return new Map(rows.map(([id, args]) => [String(id), String(args)]));
}

function argsAmong(events: readonly CommittedEvent[], call: string): string | undefined {
  for (const { event } of events) {
    if (event.kind === "tool.started" && event.call === call)
      return event.args.length < PREVIEW_CHARS ? event.args : undefined;
  }
  return undefined;
}

function keyOf(task: string, seq: number): string {
  return `${task} ${seq}`;
}

/** Writes the lines; a reader of the journal. */
export class AuditLog implements JournalReader {
  readonly name = "audit log";
  readonly #options: AuditLogOptions;
  #entries: Entry[] = [];
  /** Lines of notes that are not written yet, the newest of them. */
  #notes: string[] = [];
  #tail: Tail | undefined;
  #size: number | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: AuditLogOptions) {
    this.#options = options;
  }

  take(view: Readonly<TaskView>, events: readonly CommittedEvent[]): number {
    let taken = 0;
    for (const { seq, at, event } of events) {
      if (event.kind !== "tool.finished" || !this.#options.enabled()) continue;
      this.#push(view, { seq, at, event, args: argsAmong(events, event.call) });
      taken++;
    }
    return taken;
  }

  replay(view: Readonly<TaskView>, events: readonly CommittedEvent[], until: number): void {
    const from = (this.#tail?.cursor ?? 0) - OVERLAP_MS;
    for (const { seq, at, event } of events) {
      if (event.kind !== "tool.finished" || at < from || at > until) continue;
      if (!this.#options.enabled() || this.#tail?.written.has(keyOf(view.id, seq)) === true) continue;
      if (this.#entries.some((entry) => entry.seq === seq && entry.task === view.id)) continue;
      this.#push(view, { seq, at, event, args: argsAmong(events, event.call) });
    }
  }

  #push({ id: task, context, trace }: Readonly<TaskView>, ended: Pick<Entry, "seq" | "at" | "event" | "args">): void {
    this.#entries.push({ task, context, trace, ...ended });
  }

  /** Writes a line about an act. Where the file cannot be written, it waits for the next lines. */
  async note({ event, ...fields }: AuditNote): Promise<void> {
    const { enabled, clock, redactor } = this.#options;
    if (!enabled()) return;
    const shown = Object.entries(fields).map(([name, value]) => [name, redactor.text(value).slice(0, RESULT_CHARS)]);
    const line = { ts: new Date(clock.now()).toISOString(), event, ...Object.fromEntries(shown) };
    this.#notes = [...this.#notes, `${JSON.stringify(line)}\n`].slice(-MOST_NOTES);
    await this.flush(undefined).catch(() => {});
  }

  async cursor(): Promise<number | undefined> {
    this.#tail = await readTail(this.#options.path, keyOf);
    return this.#tail.cursor;
  }

  written(): Promise<ReadonlySet<string>> {
    // A task may have many lines; each is looked for by itself.
    return Promise.resolve(new Set());
  }

  flush(upTo: number | undefined): Promise<void> {
    const written = this.#writing.then(() => this.#flush(upTo));
    this.#writing = written.catch(() => {});
    return written;
  }

  async #flush(upTo: number | undefined): Promise<void> {
    const [entries, notes] = [this.#entries, this.#notes];
    this.#entries = [];
    this.#notes = [];
    try {
      const lines = notes.join("") + (await this.#linesOf(entries));
      if (lines !== "") await this.#append(lines);
    } catch (error) {
      this.#entries = [...entries, ...this.#entries];
      this.#notes = [...notes, ...this.#notes].slice(-MOST_NOTES);
      throw error;
    }
    if (upTo === undefined) return;
    // What was written before is not read any more.
    this.#tail = undefined;
    await this.#prepare();
    await writeFile(cursorFile(this.#options.path), `${JSON.stringify({ at: upTo })}\n`, { mode: 0o600 });
  }

  async #linesOf(entries: readonly Entry[]): Promise<string> {
    const unknown = entries.flatMap(({ args, event }) => (args === undefined ? [event.call] : []));
    const stored = unknown.length === 0 ? undefined : await this.#options.argumentsOf(unknown);
    let lines = "";
    for (const entry of entries) lines += this.#lineOf(entry, entry.args ?? stored?.get(entry.event.call) ?? "");
    return lines;
  }

  #lineOf({ task, context, trace: parent, seq, at, event }: Entry, args: string): string {
    const { redactor, trace = () => null } = this.#options;
    const traceId = trace(task, parent);
    const line = {
      ts: new Date(at).toISOString(),
      // Chosen by a caller, as the name of a tool is by a model.
      session: redactor.text(context),
      task,
      seq,
      tool: redactor.text(event.name),
      args: redactor.text(args).slice(0, ARGS_CHARS),
      result: redactor.text(event.result).slice(0, RESULT_CHARS),
      ms: event.ms,
      success: event.outcome === "ok",
      outcome: event.outcome,
      ...(traceId === null ? {} : { trace_id: traceId }),
    };
    return `${JSON.stringify(line)}\n`;
  }

  async #append(lines: string): Promise<void> {
    const { path, maxBytes = MAX_BYTES } = this.#options;
    await this.#prepare();
    const bytes = Buffer.byteLength(lines);
    if ((this.#size ?? 0) > 0 && (this.#size ?? 0) + bytes > maxBytes) {
      await rename(path, `${path}.1`);
      this.#size = 0;
    }
    await appendFile(path, lines, { mode: 0o600 });
    this.#size = (this.#size ?? 0) + bytes;
  }

  /** Makes the folder, and takes away a line that a killed process left unfinished. */
  async #prepare(): Promise<void> {
    if (this.#size !== undefined) return;
    const { path, makeFolder } = this.#options;
    makeFolder(dirname(path));
    this.#size = await wholeLines(path);
  }
}

/** Cuts the file after its last whole line; its size. */
async function wholeLines(path: string): Promise<number> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size === 0) return 0;
  const file = await open(path, "r");
  try {
    const length = Math.min(size, 64 * 1024);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    const end = buffer.lastIndexOf(0x0a);
    if (end === length - 1 || end < 0) return size;
    const whole = size - length + end + 1;
    await truncate(path, whole);
    return whole;
  } finally {
    await file.close();
  }
}

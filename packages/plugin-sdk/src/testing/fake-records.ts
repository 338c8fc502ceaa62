import { callNoteJson, keepNothing, type ToolCaller, type ToolContext } from "../tool/index.ts";
import { fakeContext } from "./fake-context.ts";

/** A line a tool wrote to its log. */
export interface FakeLogLine {
  readonly level: "info" | "warn";
  readonly message: string;
}

/** Options of one call. */
export interface FakeCallOptions {
  /** Default `call-1`, `call-2` and so on. Give an old one to call again under the same idempotency key. */
  readonly callId?: string;
  /** The call's signal; a fresh one that is never aborted by default. */
  readonly signal?: AbortSignal;
  /** Default: an operator whose turn a person follows. */
  readonly caller?: Partial<ToolCaller>;
  /** The call is made by a subagent. Default false. */
  readonly subagent?: boolean;
}

/** What calls of one fake host wrote, and the contexts by which they wrote it. */
export class FakeRecords {
  readonly log: FakeLogLine[] = [];
  readonly progress: string[] = [];
  time: Date;
  /** Ids of the calls that run; the others can keep nothing. */
  readonly running = new Set<string>();
  readonly #notes = new Map<string, string>();
  #made = 0;

  constructor(time: Date) {
    this.time = time;
  }

  forgetNote(callId: string): void {
    this.#notes.delete(callId);
  }

  hasNote(callId: string): boolean {
    return this.#notes.has(callId);
  }

  contextFor(
    { callId = `call-${++this.#made}`, signal, caller }: FakeCallOptions,
    earlierAnswers: ToolContext["earlierAnswers"],
  ): ToolContext {
    const context = fakeContext({
      callId,
      earlierAnswers,
      ...(signal === undefined ? {} : { signal }),
      ...(caller === undefined ? {} : { caller }),
      log: {
        info: (message) => void this.log.push({ level: "info", message }),
        warn: (message) => void this.log.push({ level: "warn", message }),
      },
      now: () => new Date(this.time),
      progress: (text = "") => void this.progress.push(text),
      keep: async (note) =>
        this.running.has(callId) ? void this.#notes.set(callId, callNoteJson(note)) : keepNothing(),
    });
    return Object.defineProperty(context, "kept", { get: () => this.#note(callId) });
  }

  #note(callId: string): unknown {
    const note = this.#notes.get(callId);
    return note === undefined ? undefined : (JSON.parse(note) as unknown);
  }
}

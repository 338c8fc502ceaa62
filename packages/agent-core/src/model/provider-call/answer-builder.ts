import { ModelError } from "../model-error.ts";
import type { FinishReason, ModelEvent, ModelToolCall } from "../model-port.ts";
import { readUsage } from "./read-usage.ts";
import type { WireObject } from "./wire.ts";

/** Bounds of one answer, as those of a gateway's. */
const MAX_CONTENT_CHARS = 16 * 1024 * 1024;
const MAX_TOOL_CALLS = 128;
const MAX_ARGUMENT_CHARS = 2 * 1024 * 1024;

/** Collects an answer and hands its events out: deltas of one socket chunk make one event, calls come whole. */
export class AnswerBuilder {
  readonly #emit: (event: ModelEvent) => void;
  #heldKind: "text" | "reasoning" = "text";
  #held = "";
  #chars = 0;
  #calls: ModelToolCall[] = [];
  #usage: WireObject = {};
  #done = false;

  constructor(emit: (event: ModelEvent) => void) {
    this.#emit = emit;
  }

  get done(): boolean {
    return this.#done;
  }

  append(kind: "text" | "reasoning", piece: string): void {
    if (piece === "") return;
    this.#chars += piece.length;
    if (this.#chars > MAX_CONTENT_CHARS)
      throw new ModelError("bad_response", `the model sent more than ${MAX_CONTENT_CHARS} characters`);
    if (kind !== this.#heldKind) this.flush();
    this.#heldKind = kind;
    this.#held += piece;
  }

  /** Adds a whole tool call. */
  call(call: ModelToolCall): void {
    if (this.#calls.length >= MAX_TOOL_CALLS)
      throw new ModelError("bad_response", `the model made more than ${MAX_TOOL_CALLS} tool calls at once`);
    checkArguments(call.args);
    this.#calls.push(call);
  }

  /** Merges a usage object of the wire; what comes later counts. */
  usage(usage: WireObject): void {
    const known = Object.entries(usage).filter(([, value]) => value !== null && value !== undefined);
    this.#usage = { ...this.#usage, ...Object.fromEntries(known) };
  }

  flush(): void {
    if (this.#held === "") return;
    const text = this.#held;
    this.#held = "";
    this.#emit({ kind: this.#heldKind, text });
  }

  /** The answer is complete. With tool calls the reason is `tool-calls`, unless the answer was cut off. */
  finish(reason: FinishReason): void {
    if (this.#done) return;
    this.#done = true;
    this.flush();
    for (const call of this.#calls) this.#emit({ kind: "tool-call", call });
    const usage = readUsage(this.#usage);
    if (usage !== undefined) this.#emit({ kind: "usage", usage });
    this.#emit({ kind: "finish", reason: reason === "stop" && this.#calls.length > 0 ? "tool-calls" : reason });
  }
}

/** Throws `ModelError` for more argument text than one call may have. */
export function checkArguments(args: string): void {
  if (args.length > MAX_ARGUMENT_CHARS)
    throw new ModelError(
      "bad_response",
      `the model sent more than ${MAX_ARGUMENT_CHARS} characters of arguments to one tool call`,
    );
}

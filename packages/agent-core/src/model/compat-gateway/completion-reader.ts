import { ModelError } from "../model-error.ts";
import type { FinishReason, ModelEvent, ModelUsage } from "../model-port.ts";
import {
  asObject,
  asText,
  type ErrorOrigin,
  inStreamError,
  readUsage,
  type WireObject,
} from "../provider-call/index.ts";
import { ThinkSplitter } from "./think-splitter.ts";
import { ToolCallAssembler, type ToolCallBounds } from "./tool-call-assembler.ts";

/** Bounds of one answer. */
export interface CompletionBounds extends ToolCallBounds {
  /** Characters of text and reasoning together. */
  readonly maxContentChars: number;
}

const REASONS: { readonly [wire: string]: FinishReason } = {
  stop: "stop",
  end_turn: "stop",
  eos: "stop",
  tool_calls: "tool-calls",
  tool_use: "tool-calls",
  function_call: "tool-calls",
  length: "length",
  max_tokens: "length",
  content_filter: "content-filter",
};

/**
 * Turns the objects of a chat completion, streamed chunks or one whole answer, into model events. Text is held until
 * `flush`, so that the deltas of one socket chunk make one event; tool calls, usage and the finish come from `finish`.
 */
export class CompletionReader {
  readonly #emit: (event: ModelEvent) => void;
  readonly #origin: ErrorOrigin;
  readonly #bounds: CompletionBounds;
  readonly #calls: ToolCallAssembler;
  readonly #think: ThinkSplitter;
  #heldKind: "text" | "reasoning" = "text";
  #held = "";
  #chars = 0;
  #usage: ModelUsage | undefined;
  #reason: string | undefined;
  #sawContent = false;

  constructor(emit: (event: ModelEvent) => void, origin: ErrorOrigin, bounds: CompletionBounds) {
    this.#emit = emit;
    this.#origin = origin;
    this.#bounds = bounds;
    this.#calls = new ToolCallAssembler(bounds);
    this.#think = new ThinkSplitter({
      text: (text) => this.#hold("text", text),
      reasoning: (text) => this.#hold("reasoning", text),
    });
  }

  /** Whether the provider sent a finish reason. */
  get finished(): boolean {
    return this.#reason !== undefined;
  }

  /** Whether anything of an answer came: text, reasoning or a call. */
  get sawContent(): boolean {
    return this.#sawContent || this.#calls.size > 0;
  }

  /** Takes one chunk, or a whole answer. Throws `ModelError` for an error object and beyond the bounds. */
  push(chunk: WireObject): void {
    if (chunk.error != null) throw inStreamError(this.#origin, chunk.error);
    if (chunk.object === "error") throw inStreamError(this.#origin, chunk);
    if (chunk.usage != null) this.#usage = readUsage(chunk.usage) ?? this.#usage;
    if (!Array.isArray(chunk.choices)) return;
    const choice = asObject(chunk.choices[0]);
    if (choice === undefined || (typeof choice.index === "number" && choice.index !== 0)) return;
    if (choice.usage != null) this.#usage = readUsage(choice.usage) ?? this.#usage;
    const delta = asObject(choice.delta);
    if (delta !== undefined) this.#message(delta, false);
    else {
      const message = asObject(choice.message);
      if (message !== undefined && !this.sawContent) this.#message(message, true);
    }
    const reason = asText(choice.finish_reason);
    if (reason === "") return;
    if (reason === "error") throw inStreamError(this.#origin, choice.error ?? "the provider stopped with an error");
    this.#reason = reason;
  }

  /** Emits the text held so far. */
  flush(): void {
    if (this.#held === "") return;
    const event = { kind: this.#heldKind, text: this.#held };
    this.#held = "";
    this.#emit(event);
  }

  /** The answer is whole: emits the calls, the usage and the finish. */
  finish(): void {
    this.#think.end();
    this.flush();
    const calls = this.#calls.finish();
    for (const call of calls) this.#emit({ kind: "tool-call", call });
    if (this.#usage !== undefined) this.#emit({ kind: "usage", usage: this.#usage });
    this.#emit({ kind: "finish", reason: finishReason(this.#reason, calls.length) });
  }

  #message(message: WireObject, whole: boolean): void {
    const reasoning = asText(message.reasoning_content) || asText(message.reasoning);
    if (reasoning !== "") this.#hold("reasoning", reasoning);
    const content = message.content;
    if (typeof content === "string") {
      if (content !== "") this.#think.push(content);
    } else if (Array.isArray(content)) for (const part of content) this.#part(part);
    const refusal = asText(message.refusal);
    if (refusal !== "") this.#hold("text", refusal);
    if (!Array.isArray(message.tool_calls)) return;
    for (const [index, piece] of message.tool_calls.entries()) {
      // The calls of a whole answer are whole: each is its own, whatever index or id it claims.
      this.#calls.push(whole ? { ...asObject(piece), index } : piece);
    }
  }

  /** Content as a list of parts, Mistral's way: text, or thinking that holds text parts. */
  #part(value: unknown): void {
    const part = asObject(value);
    if (part === undefined) return;
    const text = asText(part.text);
    if (text !== "") this.#think.push(text);
    const thinking = part.thinking;
    if (typeof thinking === "string" && thinking !== "") this.#hold("reasoning", thinking);
    if (!Array.isArray(thinking)) return;
    for (const inner of thinking) {
      const thought = asText(asObject(inner)?.text);
      if (thought !== "") this.#hold("reasoning", thought);
    }
  }

  #hold(kind: "text" | "reasoning", text: string): void {
    this.#sawContent = true;
    this.#chars += text.length;
    if (this.#chars > this.#bounds.maxContentChars) {
      throw new ModelError("bad_response", `the model sent more than ${this.#bounds.maxContentChars} characters`);
    }
    if (kind !== this.#heldKind) {
      this.flush();
      this.#heldKind = kind;
    }
    this.#held += text;
  }
}

/** Some gateways send `stop` with tool calls, or `tool_calls` without any; the calls themselves decide. */
function finishReason(wire: string | undefined, calls: number): FinishReason {
  const reason = wire === undefined ? "other" : (REASONS[wire] ?? "other");
  if (calls > 0) return reason === "length" || reason === "content-filter" ? reason : "tool-calls";
  return reason === "tool-calls" ? "other" : reason;
}

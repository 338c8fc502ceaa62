import { ModelError } from "../model-error.ts";
import type { ModelEvent } from "../model-port.ts";
import { asObject, type ErrorOrigin, SseDataLines, snippet } from "../provider-call/index.ts";
import { type CompletionBounds, CompletionReader } from "./completion-reader.ts";

/** Bounds of one answer, so that no gateway can fill the memory. */
export interface AnswerBounds extends CompletionBounds {
  /** Bytes of one line of the stream. */
  readonly maxLineBytes: number;
  /** Bytes of the whole body. */
  readonly maxBytes: number;
}

/** Generous for any real answer. */
export const DEFAULT_BOUNDS: AnswerBounds = Object.freeze({
  maxLineBytes: 4 * 1024 * 1024,
  maxBytes: 256 * 1024 * 1024,
  maxContentChars: 16 * 1024 * 1024,
  maxToolCalls: 128,
  maxArgumentChars: 2 * 1024 * 1024,
});

export interface AnswerReaderOptions {
  readonly emit: (event: ModelEvent) => void;
  readonly origin: ErrorOrigin;
  readonly bounds?: Partial<AnswerBounds>;
}

const HEAD_BYTES = 512;

/**
 * Reads the body of a 200 answer: an event stream, or one JSON object from a provider that ignored `stream`. The events
 * do not depend on how the bytes are cut, apart from where one text ends and the next begins.
 */
export class AnswerReader {
  readonly #completion: CompletionReader;
  readonly #sse: SseDataLines;
  readonly #origin: ErrorOrigin;
  readonly #bounds: AnswerBounds;
  #mode: "unknown" | "sse" | "json" = "unknown";
  #bytes = 0;
  #head: Buffer[] = [];
  #headBytes = 0;
  #json: Buffer[] = [];
  #sawData = false;
  #done = false;

  constructor(options: AnswerReaderOptions) {
    this.#origin = options.origin;
    this.#bounds = options.bounds === undefined ? DEFAULT_BOUNDS : { ...DEFAULT_BOUNDS, ...options.bounds };
    this.#completion = new CompletionReader(options.emit, this.#origin, this.#bounds);
    this.#sse = new SseDataLines((data, last) => this.#data(data, last), this.#bounds);
  }

  /** Whether the answer is whole and its finish was handed out; what follows is ignored. */
  get done(): boolean {
    return this.#done;
  }

  /** Takes the next bytes. Throws `ModelError`. */
  push(chunk: Buffer): void {
    if (this.#done || chunk.length === 0) return;
    this.#bytes += chunk.length;
    const limit = this.#mode === "json" ? this.#bounds.maxContentChars : this.#bounds.maxBytes;
    if (this.#bytes > limit) throw new ModelError("bad_response", `${this.#origin.name} sent more than ${limit} bytes`);
    if (this.#mode === "unknown") this.#mode = modeOf(chunk);
    if (this.#mode === "json") this.#json.push(Buffer.from(chunk));
    else {
      try {
        this.#sse.push(chunk);
      } finally {
        if (!this.#sawData && this.#headBytes < HEAD_BYTES) this.#keepHead(chunk);
        // Also before a failure: text that came earlier in this chunk counts.
        if (!this.#done) this.#completion.flush();
      }
    }
  }

  /** The body is over. Throws `ModelError` when the answer is not whole. */
  end(): void {
    if (this.#done) return;
    if (this.#mode === "json") this.#wholeAnswer();
    else {
      this.#sse.end();
      if (this.#done) return;
      if (!this.#sawData && this.#bytes > 0) throw this.#garbage(Buffer.concat(this.#head).toString("utf8"));
      if (!this.#completion.finished) {
        throw new ModelError("network", `${this.#origin.name} closed its stream before the answer was whole`, {
          hasAnswered: true,
        });
      }
    }
    this.#finish();
  }

  #data(data: string, last: boolean): boolean {
    if (this.#done) return true;
    if (data === "[DONE]" || data.trim() === "[DONE]") {
      if (!this.#completion.finished && !this.#completion.sawContent) {
        throw new ModelError("bad_response", `${this.#origin.name} ended its stream without an answer`);
      }
      this.#finish();
      return true;
    }
    let parsed: unknown;
    try {
      parsed = JSON.parse(data);
    } catch {
      if (last) throw this.#garbage(data);
      return false;
    }
    this.#sawData = true;
    const chunk = asObject(parsed);
    if (chunk === undefined) throw this.#garbage(data);
    this.#completion.push(chunk);
    return true;
  }

  #wholeAnswer(): void {
    const text = Buffer.concat(this.#json).toString("utf8");
    this.#json = [];
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      throw this.#garbage(text);
    }
    const answer = asObject(parsed);
    if (answer === undefined) throw this.#garbage(text);
    this.#completion.push(answer);
    if (!this.#completion.finished && !this.#completion.sawContent) throw this.#garbage(text);
  }

  #finish(): void {
    this.#done = true;
    this.#completion.finish();
  }

  #keepHead(chunk: Buffer): void {
    const part = Buffer.from(chunk.subarray(0, HEAD_BYTES - this.#headBytes));
    this.#head.push(part);
    this.#headBytes += part.length;
  }

  #garbage(text: string): ModelError {
    return new ModelError(
      "bad_response",
      `${this.#origin.name} answered something else than a chat completion: ${snippet(this.#origin, text.slice(0, 2 * HEAD_BYTES))}`,
    );
  }
}

/** A stream's lines begin with letters or a colon, so a leading brace means one JSON object. */
function modeOf(chunk: Buffer): "unknown" | "sse" | "json" {
  for (const byte of chunk) {
    if (byte === 0x7b) return "json";
    if (
      byte !== 0x20 &&
      byte !== 0x09 &&
      byte !== 0x0a &&
      byte !== 0x0d &&
      byte !== 0xef &&
      byte !== 0xbb &&
      byte !== 0xbf
    )
      return "sse";
  }
  return "unknown";
}

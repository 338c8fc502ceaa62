import { ModelError } from "../model-error.ts";
import type { BodyReader } from "./provider-call.ts";
import { type ErrorOrigin, snippet } from "./provider-error.ts";
import { SseDataLines } from "./sse-data-lines.ts";
import { asObject, type WireObject } from "./wire.ts";

/** Makes model events of a wire's events. */
export interface EventInterpreter {
  /** Whether the wire marked the answer as complete. */
  readonly done: boolean;
  /** Takes the next event. Throws `ModelError`. */
  take(event: WireObject): void;
  /** The events so far came in one piece: emits text that was held back. */
  flush(): void;
}

/** Bytes of one line and of a whole answer: generous for any real one. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const MAX_BYTES = 256 * 1024 * 1024;
const HEAD_CHARS = 512;

/** Reads an answer that is an event stream of JSON objects, with `type` inside each. */
export class EventStreamReader implements BodyReader {
  readonly #interpreter: EventInterpreter;
  readonly #origin: ErrorOrigin;
  readonly #sse: SseDataLines;
  #bytes = 0;
  #head = "";
  #sawEvent = false;

  constructor(interpreter: EventInterpreter, origin: ErrorOrigin) {
    this.#interpreter = interpreter;
    this.#origin = origin;
    this.#sse = new SseDataLines((data, last) => this.#data(data, last), { maxLineBytes: MAX_LINE_BYTES });
  }

  get done(): boolean {
    return this.#interpreter.done;
  }

  push(chunk: Buffer): void {
    if (this.done) return;
    this.#bytes += chunk.length;
    if (this.#bytes > MAX_BYTES)
      throw new ModelError("bad_response", `${this.#origin.name} sent more than ${MAX_BYTES} bytes`);
    if (!this.#sawEvent && this.#head.length < HEAD_CHARS) this.#head += chunk.toString("utf8", 0, HEAD_CHARS);
    try {
      this.#sse.push(chunk);
    } finally {
      this.#interpreter.flush();
    }
  }

  end(): void {
    if (this.done) return;
    this.#sse.end();
    this.#interpreter.flush();
    if (this.done) return;
    if (!this.#sawEvent && this.#bytes > 0) throw this.#garbage(this.#head);
    throw new ModelError("network", `${this.#origin.name} closed its stream before the answer was whole`, {
      hasAnswered: true,
    });
  }

  #data(data: string, last: boolean): boolean {
    if (this.done || data.trim() === "[DONE]") return true;
    let parsed: unknown;
    try {
      parsed = JSON.parse(data);
    } catch {
      if (last) throw this.#garbage(data);
      return false;
    }
    const event = asObject(parsed);
    if (event === undefined) throw this.#garbage(data);
    this.#sawEvent = true;
    this.#interpreter.take(event);
    return true;
  }

  #garbage(text: string): ModelError {
    return new ModelError(
      "bad_response",
      `${this.#origin.name} answered something else than a stream of events: ${snippet(this.#origin, text.slice(0, HEAD_CHARS))}`,
    );
  }
}

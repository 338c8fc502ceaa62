import { ModelError } from "../model-error.ts";

const NEWLINE = 0x0a;

/** Bounds of one stream, in bytes. */
export interface SseBounds {
  /** A single line, and the data of one event. */
  readonly maxLineBytes: number;
}

/**
 * Reads the `data` of a server-sent event stream out of chunks that may be cut anywhere, also inside a UTF-8 character.
 *
 * Lenient where gateways are sloppy: `data:` with or without a space, LF or CRLF, comments and other fields skipped,
 * and no blank line needed between events whose data is complete by itself. `onData` is given one event's data and
 * answers whether it was complete; data that is not is joined with the following `data` lines until a blank line.
 */
export class SseDataLines {
  readonly #onData: (data: string, last: boolean) => boolean;
  readonly #bounds: SseBounds;
  /** Bytes of a line whose end has not come yet. */
  #carry: Buffer[] = [];
  #carryBytes = 0;
  #pending: string[] = [];
  #pendingChars = 0;
  #first = true;

  /** `onData` is called with `last` true when nothing can complete the data any more. */
  constructor(onData: (data: string, last: boolean) => boolean, bounds: SseBounds) {
    this.#onData = onData;
    this.#bounds = bounds;
  }

  /** Takes the next bytes. Throws `ModelError` (`bad_response`) when a line is longer than the bound. */
  push(chunk: Buffer): void {
    // A line end is never part of a multi-byte character: whole lines can be decoded without looking further.
    const end = chunk.lastIndexOf(NEWLINE);
    if (end === -1) {
      this.#keep(chunk);
      return;
    }
    let complete = end === chunk.length - 1 ? chunk : chunk.subarray(0, end + 1);
    if (this.#carryBytes > 0) {
      complete = Buffer.concat([...this.#carry, complete]);
      this.#carry = [];
      this.#carryBytes = 0;
    }
    this.#lines(complete.toString("utf8"));
    if (end < chunk.length - 1) this.#keep(chunk.subarray(end + 1));
  }

  /** The stream is over: reads what is left, also a last line without an end. */
  end(): void {
    if (this.#carryBytes > 0) {
      const rest = Buffer.concat(this.#carry);
      this.#carry = [];
      this.#carryBytes = 0;
      this.#lines(`${rest.toString("utf8")}\n`);
    }
    this.#flush();
  }

  #keep(bytes: Buffer): void {
    this.#carryBytes += bytes.length;
    if (this.#carryBytes > this.#bounds.maxLineBytes) throw tooLong(this.#bounds.maxLineBytes);
    // The socket's buffer is shared with other chunks: keep our own copy of the few bytes, not all of it.
    this.#carry.push(Buffer.from(bytes));
  }

  #lines(text: string): void {
    let start = 0;
    if (this.#first) {
      this.#first = false;
      if (text.charCodeAt(0) === 0xfeff) start = 1;
    }
    for (let end = text.indexOf("\n", start); end !== -1; end = text.indexOf("\n", start)) {
      const stop = end > start && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end;
      if (stop - start > this.#bounds.maxLineBytes) throw tooLong(this.#bounds.maxLineBytes);
      this.#line(text, start, stop);
      start = end + 1;
    }
  }

  #line(text: string, start: number, stop: number): void {
    if (stop === start) {
      this.#flush();
      return;
    }
    if (!text.startsWith("data:", start)) return;
    let from = start + 5;
    if (text.charCodeAt(from) === 0x20) from += 1;
    if (from >= stop) return;
    const data = text.slice(from, stop);
    if (this.#pending.length === 0 && this.#onData(data, false)) return;
    this.#pendingChars += data.length;
    if (this.#pendingChars > this.#bounds.maxLineBytes) throw tooLong(this.#bounds.maxLineBytes);
    this.#pending.push(data);
  }

  #flush(): void {
    if (this.#pending.length === 0) return;
    const data = this.#pending.join("\n");
    this.#pending = [];
    this.#pendingChars = 0;
    this.#onData(data, true);
  }
}

function tooLong(bytes: number): ModelError {
  return new ModelError("bad_response", `the model's stream holds a line longer than ${bytes} bytes`);
}

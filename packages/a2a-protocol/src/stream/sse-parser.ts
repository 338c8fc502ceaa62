/**
 * Reading server-sent events as they arrive (HTML living standard, "Server-sent events"), split anywhere, also inside
 * a UTF-8 character or between CR and LF. Bounded: an event or a line beyond the limit is an error, not memory.
 */

/** One server-sent event that was read. */
export interface SseEvent {
  readonly data: string;
  /** The last id seen up to and including this event; "" before the first. */
  readonly id: string;
  /** "message" unless the stream names another. */
  readonly event: string;
}

/** An event or line was longer than the reader allows. */
export class SseLimitError extends Error {
  override readonly name = "SseLimitError";
  readonly code = "sse-limit";

  constructor(limit: number) {
    super(`A server-sent event is longer than ${limit} characters`);
  }
}

/** Bounds of an `SseParser`. */
export interface SseParserOptions {
  /** Most characters one event, or one line of it, may have. Default 16 Mi. */
  readonly maxEventLength?: number;
}

/** Turns pieces of a byte stream into events. One parser per stream. */
export interface SseParser {
  /** Takes the next piece; returns the events it completes. Throws `SseLimitError`. */
  push(piece: Uint8Array): SseEvent[];
  /** Milliseconds the stream asked to wait before reconnecting, once it did. */
  readonly retry: number | undefined;
}

const DEFAULT_MAX_EVENT_LENGTH = 16 * 1024 * 1024;

/** A parser at the start of a stream. An event that the stream's end cuts off is dropped, as the standard requires. */
export function createSseParser({ maxEventLength = DEFAULT_MAX_EVENT_LENGTH }: SseParserOptions = {}): SseParser {
  const decoder = new TextDecoder();
  let line = "";
  let skipLineFeed = false;
  let data: string | undefined;
  let id = "";
  let event = "";
  let retry: number | undefined;

  function takeLine(text: string, events: SseEvent[]): void {
    if (text === "") {
      if (data !== undefined) events.push({ data, id, event: event || "message" });
      data = undefined;
      event = "";
      return;
    }
    const colon = text.indexOf(":");
    if (colon === 0) return;
    const name = colon === -1 ? text : text.slice(0, colon);
    const value = colon === -1 ? "" : text.slice(text[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "data") {
      data = data === undefined ? value : `${data}\n${value}`;
      if (data.length > maxEventLength) throw new SseLimitError(maxEventLength);
    } else if (name === "event") {
      event = value;
    } else if (name === "id") {
      if (!value.includes("\0")) id = value;
    } else if (name === "retry" && /^\d+$/.test(value)) {
      retry = Number(value);
    }
  }

  return {
    push(piece) {
      const events: SseEvent[] = [];
      let text = decoder.decode(piece, { stream: true });
      if (skipLineFeed && text !== "") {
        skipLineFeed = false;
        if (text[0] === "\n") text = text.slice(1);
      }
      const ends = /\r\n|\r|\n/g;
      let start = 0;
      for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
        const rest = text.slice(start, end.index);
        if (line.length + rest.length > maxEventLength) throw new SseLimitError(maxEventLength);
        takeLine(line + rest, events);
        line = "";
        start = ends.lastIndex;
        skipLineFeed = end[0] === "\r" && start === text.length;
      }
      line += text.slice(start);
      if (line.length > maxEventLength) throw new SseLimitError(maxEventLength);
      return events;
    },
    get retry() {
      return retry;
    },
  };
}

import type { Json } from "./json.ts";

export interface StreamedEvent {
  /** Its `id:`, a sequence number (A20); 0 where it had none. */
  readonly id: number;
  /** The JSON-RPC `result`, or the `error` under that name. */
  readonly frame: Json;
}

/** An event stream that is read at the test's own pace. */
export interface StreamReader {
  /** Everything read so far. */
  readonly events: readonly StreamedEvent[];
  /** How many keep-alive comments were read so far. */
  readonly comments: number;
  readonly headers: Headers;
  /** The next event; undefined at the end. */
  next(): Promise<StreamedEvent | undefined>;
  /** Reads until an event passes; throws when the stream ends before. */
  until(passes: (frame: Json) => boolean): Promise<StreamedEvent>;
  /** Reads to the end and returns every event of the stream. */
  rest(): Promise<readonly StreamedEvent[]>;
  /** Breaks the connection. */
  close(): Promise<void>;
}

/** Reads a response of `text/event-stream`. */
export function streamReader(response: Response): StreamReader {
  const events: StreamedEvent[] = [];
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
  const decoder = new TextDecoder();
  let buffer = "";
  let comments = 0;

  async function next(): Promise<StreamedEvent | undefined> {
    for (;;) {
      const end = buffer.indexOf("\n\n");
      if (end >= 0) {
        const block = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        const event = parseEvent(block);
        if (event === undefined) {
          comments += 1;
          continue;
        }
        events.push(event);
        return event;
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      buffer += decoder.decode(value, { stream: true });
    }
  }

  return {
    events,
    headers: response.headers,
    get comments() {
      return comments;
    },
    next,
    async until(passes) {
      for (let event = await next(); event !== undefined; event = await next()) if (passes(event.frame)) return event;
      throw new Error(`the stream ended before: ${JSON.stringify(events)}`);
    },
    async rest() {
      while ((await next()) !== undefined);
      return events;
    },
    close: () => reader.cancel(),
  };
}

function parseEvent(block: string): StreamedEvent | undefined {
  const lines = block.split("\n");
  const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5));
  if (data.length === 0) return undefined;
  const id = lines.find((line) => line.startsWith("id:"))?.slice(3) ?? "0";
  const { result, error } = JSON.parse(data.join("\n")) as Json;
  return { id: Number(id), frame: result ?? { error } };
}

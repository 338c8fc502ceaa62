/**
 * The body of a streaming answer. Invariants:
 * 1. It advances only when the reader pulls: a slow reader costs one chunk, and slows nobody else.
 * 2. Frames that are ready together travel in one chunk.
 * 3. Cancelling it aborts the reading behind it and nothing else.
 */

import type { Timers } from "../stream/index.ts";
import { SSE_KEEP_ALIVE } from "../stream/index.ts";
import { type ReadAhead, readAhead } from "./read-ahead.ts";

/** Settings of one stream of `T`s. */
export interface EventStreamOptions<T> {
  /** Text that is ready at the start. */
  readonly opening: string;
  /** Opens the reading; called once, at the first pull. */
  readonly follow: (signal: AbortSignal) => AsyncIterable<T>;
  /** The text of an item's event. */
  readonly write: (item: T) => string;
  /** The text of an event that reports a failed reading. */
  readonly writeFailure: (error: unknown) => string;
  /** Silence, in milliseconds, after which a comment keeps the connection alive. */
  readonly keepAliveMs: number;
  readonly timers: Timers;
  /** Called exactly once, however the stream ends. */
  readonly onEnd: () => void;
}

/** Longest chunk, in characters, that gathering aims at. */
const CHUNK_LENGTH = 64 * 1024;

/** A server-sent event stream, as the bytes of a `Response`. */
export function eventStream<T>(options: EventStreamOptions<T>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let text = options.opening;
  let reading: ReadAhead<T> | undefined;
  let ended = false;

  function end(): void {
    if (ended) return;
    ended = true;
    options.onEnd();
  }
  /** Adds what is ready to `text`; true when the reading is over. */
  async function gather(from: ReadAhead<T>): Promise<boolean> {
    while (text.length < CHUNK_LENGTH) {
      await from.catchUp();
      const what = from.take();
      if (what === undefined) return false;
      if ("failure" in what) {
        text += options.writeFailure(what.failure);
        return true;
      }
      if (what.done) return true;
      text += options.write(what.value);
    }
    return false;
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reading ??= readAhead(options.follow, options.timers);
        if (text === "") await reading.wait(options.keepAliveMs);
        if (ended) return;
        const over = await gather(reading);
        const chunk = text === "" && !over ? SSE_KEEP_ALIVE : text;
        text = "";
        if (chunk !== "") controller.enqueue(encoder.encode(chunk));
        if (!over) return;
        end();
        controller.close();
      },
      cancel() {
        end();
        reading?.stop();
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * The body of a streaming answer. Invariants:
 * 1. It advances only when the reader pulls: a slow reader costs one chunk, and slows nobody else.
 * 2. Short frames that are ready together travel in one chunk; a long one travels in several, and its bytes are not
 *    copied for each of its readers.
 * 3. Cancelling it aborts the reading behind it and nothing else.
 * 4. However much is ready, others come in between.
 */

import type { Timers } from "../stream/index.ts";
import { SSE_KEEP_ALIVE } from "../stream/index.ts";
import { type EventText, Outbox } from "./outbox.ts";
import { type ReadAhead, readAhead } from "./read-ahead.ts";

/** Settings of one stream of `T`s. */
export interface EventStreamOptions<T> {
  /** Text that is ready at the start. */
  readonly opening: EventText;
  /** Opens the reading; called once, at the first pull. */
  readonly follow: (signal: AbortSignal) => AsyncIterable<T>;
  /** The text of an item's event. */
  readonly write: (item: T) => EventText;
  /** The text of an event that reports a failed reading. */
  readonly writeFailure: (error: unknown) => string;
  /** Silence, in milliseconds, after which a comment keeps the connection alive. */
  readonly keepAliveMs: number;
  readonly timers: Timers;
  /** Called exactly once, however the stream ends. */
  readonly onEnd: () => void;
}

/** Longest chunk, in characters. A reader that has stopped holds one, in as many bytes or up to three times as many. */
const CHUNK_LENGTH = 8 * 1024;
/** Characters after which whoever else waits comes first: a fast reader would take megabytes in one go. */
const TURN_LENGTH = 64 * 1024;

/** A server-sent event stream, as the bytes of a `Response`. */
export function eventStream<T>({ opening, ...options }: EventStreamOptions<T>): ReadableStream<Uint8Array> {
  const { timers, keepAliveMs } = options;
  const encoder = new TextEncoder();
  const outbox = new Outbox(opening);
  let reading: ReadAhead<T> | undefined;
  let ended = false;
  /** The reading is over; what is left is in the outbox. */
  let over = false;
  let sinceTurn = 0;

  function end(): void {
    if (ended) return;
    ended = true;
    options.onEnd();
  }
  /** Adds what is ready to the outbox, up to a chunk. */
  async function gather(from: ReadAhead<T>): Promise<void> {
    while (!over && outbox.length < CHUNK_LENGTH) {
      await from.catchUp();
      const what = from.take();
      if (what === undefined) return;
      if ("failure" in what) outbox.add(options.writeFailure(what.failure));
      else if (what.done !== true) outbox.add(options.write(what.value));
      over = "failure" in what || what.done === true;
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reading ??= readAhead(options.follow, timers);
        if (sinceTurn >= TURN_LENGTH) {
          sinceTurn = 0;
          await new Promise<void>((resolve) => void timers.after(0, resolve));
        }
        if (outbox.length === 0) await reading.wait(keepAliveMs);
        if (ended) return;
        await gather(reading);
        const chunk = outbox.length === 0 && !over ? SSE_KEEP_ALIVE : outbox.take(CHUNK_LENGTH);
        sinceTurn += chunk.length;
        if (chunk !== "") controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
        if (!over || outbox.length > 0) return;
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

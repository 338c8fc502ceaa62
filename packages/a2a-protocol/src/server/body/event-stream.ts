/**
 * The body of a streaming answer. Invariants:
 * 1. It advances only when the reader pulls: a slow reader costs one chunk, and slows no other.
 * 2. Short frames that are ready together travel in one chunk; a long one travels in several, and its bytes are not
 *    copied for each of its readers. While one is on its way the reading is closed, so that it keeps no task in memory.
 * 3. Cancelling it aborts the reading behind it and nothing else.
 * 4. However much is ready, it yields to the event loop.
 * 5. While the reader asks for nothing, the reading can be closed from outside.
 */

import type { Timers } from "../../stream/index.ts";
import { SSE_KEEP_ALIVE } from "../../stream/index.ts";
import { Outbox, type OutgoingText } from "./outbox.ts";
import { type ReadAhead, readAhead } from "./read-ahead.ts";

/** Settings of one stream of `T`s. */
export interface EventStreamOptions<T> {
  /** Text that is ready at the start. */
  readonly opening: OutgoingText;
  /** Opens the reading at its beginning, or behind the item of this number: once the opening, or a long item, is almost sent. */
  readonly follow: (signal: AbortSignal, after?: number) => AsyncIterable<T>;
  /** Number of an item. Absent: the reading stays open while a long item is sent. */
  readonly numberOf?: (item: T) => number;
  /** The text of an item's event. What it throws is written as a failed reading. */
  readonly write: (item: T) => OutgoingText;
  /** The text of an event that reports a failed reading. */
  readonly writeFailure: (error: unknown) => string;
  /** Silence, in milliseconds, after which a comment keeps the connection alive. */
  readonly keepAliveMs: number;
  readonly timers: Timers;
  /** Called with each chunk after which the reader asks for nothing yet; `close` closes the reading until it asks. */
  readonly onPause?: (close: () => void) => void;
  /** Called when the reader asks again, and at the end. */
  readonly onResume?: () => void;
  /** Called exactly once, however the stream ends. */
  readonly onEnd: () => void;
}

/** Longest chunk, in characters. A reader that has stopped holds one, in as many bytes or up to three times as many. */
const CHUNK_LENGTH = 8 * 1024;
/** Characters that wait from which on the reading is closed until they are sent. */
const LONG_LENGTH = 64 * 1024;
/** Characters after which whoever else waits comes first: a fast reader would take megabytes in one go. */
const TURN_LENGTH = 64 * 1024;

/** What an item, the end or a failure adds to the stream, and whether the reading is over then. */
function writtenItem<T>(
  what: NonNullable<ReturnType<ReadAhead<T>["take"]>>,
  { write, writeFailure, numberOf }: Pick<EventStreamOptions<T>, "write" | "writeFailure" | "numberOf">,
): { readonly text: OutgoingText; readonly over: boolean; readonly cursor: number | undefined } {
  try {
    if ("failure" in what) throw what.failure;
    if (what.done === true) return { text: "", over: true, cursor: undefined };
    return { text: write(what.value), over: false, cursor: numberOf?.(what.value) };
  } catch (failure) {
    return { text: writeFailure(failure), over: true, cursor: undefined };
  }
}

/** A server-sent event stream, as the bytes of a `Response`. */
export function eventStream<T>({ opening, ...options }: EventStreamOptions<T>): ReadableStream<Uint8Array> {
  const { timers, keepAliveMs } = options;
  const encoder = new TextEncoder();
  let broken: (() => void) | undefined;
  const outbox = new Outbox(opening, () => broken?.());
  let reading: ReadAhead<T> | undefined;
  /** Number of the item after which the reading is to be opened again. */
  let cursor: number | undefined;
  let ended = false;
  /** The reading is over; what is left is in the outbox. */
  let over = false;
  let sinceTurn = 0;

  function end(): void {
    if (ended) return;
    ended = true;
    outbox.clear();
    options.onResume?.();
    reading?.stop();
    options.onEnd();
  }
  /** What it had and was not taken comes again when it is opened behind the last item that was. */
  function closeReading(): void {
    reading?.stop();
    reading = undefined;
  }
  /** Adds what is ready to the outbox, up to a chunk. */
  async function gather(): Promise<void> {
    while (!over && outbox.length < CHUNK_LENGTH) {
      reading ??= openReading();
      await reading.catchUp();
      const what = reading.take();
      if (what === undefined) return;
      const next = writtenItem(what, options);
      outbox.add(next.text);
      ({ over, cursor } = next);
    }
    if (outbox.length >= LONG_LENGTH && !over && cursor !== undefined) closeReading();
  }
  function openReading(): ReadAhead<T> {
    return readAhead((signal) => options.follow(signal, cursor), timers);
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        broken = () => {
          end();
          controller.error(new Error("The stream was cut off: its reader took nothing for too long"));
        };
      },
      async pull(controller) {
        options.onResume?.();
        if (sinceTurn >= TURN_LENGTH) {
          sinceTurn = 0;
          await new Promise<void>((resolve) => void timers.after(0, resolve));
        }
        if (outbox.length === 0) {
          reading ??= openReading();
          await reading.wait(keepAliveMs);
        }
        if (ended) return;
        await gather();
        if (ended) return;
        const chunk = outbox.length === 0 && !over ? SSE_KEEP_ALIVE : outbox.take(CHUNK_LENGTH);
        sinceTurn += chunk.length;
        if (chunk !== "") controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
        if (!over && reading !== undefined) options.onPause?.(closeReading);
        if (!over || outbox.length > 0) return;
        end();
        controller.close();
      },
      cancel() {
        end();
      },
    },
    { highWaterMark: 0 },
  );
}

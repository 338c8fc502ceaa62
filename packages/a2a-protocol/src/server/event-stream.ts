/**
 * The body of a streaming answer. Invariants:
 * 1. It advances only when the reader pulls: a slow reader costs one chunk, and slows nobody else.
 * 2. Frames that are ready together travel in one chunk.
 * 3. Cancelling it aborts the reading behind it and nothing else.
 */
import { SSE_KEEP_ALIVE } from "../stream/index.ts";
import type { NumberedFrame } from "./executor.ts";
import type { Timers } from "./timers.ts";

/** Settings of one stream. */
export interface EventStreamOptions {
  /** Text that is ready at the start. */
  readonly opening: string;
  /** Opens the reading; called once, at the first pull. */
  readonly follow: (signal: AbortSignal) => AsyncIterable<NumberedFrame>;
  /** The text of a frame's event. */
  readonly write: (item: NumberedFrame) => string;
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

/**
 * Microtask turns to wait for the next frame before a chunk goes out. A frame that is ready takes a handful of turns
 * to travel through the promises of an async iterator; waiting longer would find none.
 */
const TURNS = 12;

/** A server-sent event stream, as the bytes of a `Response`. */
export function eventStream(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { write, timers } = options;
  const encoder = new TextEncoder();
  const abort = new AbortController();
  let text = options.opening;
  let iterator: AsyncIterator<NumberedFrame> | undefined;
  let arrived: IteratorResult<NumberedFrame> | { readonly failure: unknown } | undefined;
  let wake: (() => void) | undefined;
  let asked = false;
  let ended = false;

  function ask(): void {
    asked = true;
    try {
      iterator ??= options.follow(abort.signal)[Symbol.asyncIterator]();
      iterator.next().then(arrive, (failure: unknown) => arrive({ failure }));
    } catch (failure) {
      arrive({ failure });
    }
  }
  function arrive(what: typeof arrived): void {
    arrived = what;
    wake?.();
  }
  function end(): void {
    if (ended) return;
    ended = true;
    options.onEnd();
  }
  /** Waits for the next frame, but no longer than the keep-alive. */
  function arrivalOrSilence(): Promise<void> {
    return new Promise((resolve) => {
      const stop = timers.after(options.keepAliveMs, done);
      function done(): void {
        stop();
        wake = undefined;
        resolve();
      }
      wake = done;
    });
  }
  /** Adds what is ready to `text`; true when the reading is over. */
  async function gather(): Promise<boolean> {
    while (text.length < CHUNK_LENGTH) {
      for (let turn = 0; arrived === undefined && turn < TURNS; turn++) await Promise.resolve();
      if (arrived === undefined) return false;
      const what = arrived;
      if ("failure" in what) {
        text += options.writeFailure(what.failure);
        return true;
      }
      if (what.done) return true;
      arrived = undefined;
      text += write(what.value);
      ask();
    }
    return false;
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!asked) ask();
        if (text === "" && arrived === undefined) await arrivalOrSilence();
        if (ended) return;
        const over = await gather();
        const chunk = text === "" && !over ? SSE_KEEP_ALIVE : text;
        text = "";
        if (chunk !== "") controller.enqueue(encoder.encode(chunk));
        if (over) {
          end();
          controller.close();
        }
      },
      cancel() {
        end();
        abort.abort();
        wake?.();
        // The reading may still be waiting; it ends by the signal, and its result no longer matters.
        iterator?.return?.().catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
}

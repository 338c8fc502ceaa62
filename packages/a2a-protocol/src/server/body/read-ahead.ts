import type { Timers } from "../../stream/index.ts";

/** The next item of a reading. It is asked for by whoever waits for it, so that a user who stops holds none. */
export interface ReadAhead<T> {
  /** What has arrived and was not taken: an item, the end, or a failure. */
  take(): IteratorResult<T, unknown> | { readonly failure: unknown } | undefined;
  /** Resolves when something has arrived, or after `ms` milliseconds. */
  wait(ms: number): Promise<void>;
  /** Waits for what is on its way and arrives without any input or output in between. */
  catchUp(): Promise<void>;
  /** Stops reading; what arrives later is dropped. */
  stop(): void;
}

/**
 * Microtask turns until the next item is not on its way. An item that is ready takes a handful of turns to travel
 * through the promises of an async iterator; waiting longer would find none.
 */
const TURNS = 12;

/** Made once: an abort without a reason makes an exception with a stack, which costs more than the reading's whole end. */
const STOPPED = new Error("The reading was stopped");

/** Reads `open` item by item. The reading is opened, and its first item asked for, at once. */
export function readAhead<T>(open: (signal: AbortSignal) => AsyncIterable<T>, timers: Timers): ReadAhead<T> {
  const abort = new AbortController();
  let iterator: AsyncIterator<T> | undefined;
  let arrived: ReturnType<ReadAhead<T>["take"]>;
  let asked = false;
  let wake: (() => void) | undefined;

  function arrive(what: typeof arrived): void {
    arrived = what;
    wake?.();
  }
  function ask(): void {
    if (asked) return;
    asked = true;
    try {
      iterator ??= open(abort.signal)[Symbol.asyncIterator]();
      iterator.next().then(arrive, (failure: unknown) => arrive({ failure }));
    } catch (failure) {
      arrive({ failure });
    }
  }
  ask();

  return {
    take() {
      const what = arrived;
      if (what !== undefined && "value" in what && !what.done) {
        arrived = undefined;
        asked = false;
      }
      return what;
    },
    wait(ms) {
      ask();
      if (arrived !== undefined) return Promise.resolve();
      return new Promise((resolve) => {
        const silence = timers.after(ms, done);
        function done(): void {
          silence();
          wake = undefined;
          resolve();
        }
        wake = done;
      });
    },
    async catchUp() {
      ask();
      for (let turn = 0; arrived === undefined && turn < TURNS; turn++) await Promise.resolve();
    },
    stop() {
      abort.abort(STOPPED);
      wake?.();
      // The reading may still be waiting; it ends by the signal, and its result no longer matters.
      iterator?.return?.().catch(() => {});
    },
  };
}

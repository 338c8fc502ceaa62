import type { Clock } from "../clock/index.ts";
import type { Database } from "./database-port.ts";

/** Milliseconds between two attempts to open a store that could not be opened. */
const REOPEN_MS = 10_000;

/** A store that is opened at its first use. */
export interface LazyStore {
  /** @throws whatever opening it threw; ten seconds later the next call tries again */
  get(): Promise<Database>;
  /** Closes it, if it was opened. */
  close(): Promise<void>;
}

/** Wraps what opens a store so that it runs at the first use, once. */
export function lazyStore(open: () => Promise<Database>, clock: Pick<Clock, "now">): LazyStore {
  let opening: Promise<Database> | undefined;
  let failedAt = 0;
  return {
    get() {
      if (opening !== undefined && failedAt > 0 && clock.now() - failedAt >= REOPEN_MS) opening = undefined;
      if (opening === undefined) {
        failedAt = 0;
        opening = open();
        opening.catch(() => {
          failedAt = Math.max(1, clock.now());
        });
      }
      return opening;
    },
    async close() {
      const db = await opening?.catch(() => undefined);
      await db?.close();
    },
  };
}

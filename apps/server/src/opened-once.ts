import type { Clock, Database } from "@agent-service/agent-core";

/** Time between two attempts to open a store that could not be opened. */
const REOPEN_MS = 10_000;

/** A store that is opened late. */
export interface LateStore {
  /** @throws whatever opening it threw */
  get(): Promise<Database>;
  close(): Promise<void>;
}

/** A store that is opened when first it is asked for, and asked again a while after it could not be opened. */
export function openedOnce(open: () => Promise<Database>, clock: Clock): LateStore {
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

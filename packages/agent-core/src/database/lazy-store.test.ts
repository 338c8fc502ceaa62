import { expect, test } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import type { Database } from "./database-port.ts";
import { lazyStore } from "./lazy-store.ts";

/** A store whose opening succeeds or fails on demand. */
function counted() {
  const clock = manualClock();
  const counts = { opened: 0, closed: 0 };
  const state: { error: Error | undefined } = { error: undefined };
  const database = { close: async () => void counts.closed++ } as unknown as Database;
  const store = lazyStore(async () => {
    counts.opened++;
    if (state.error !== undefined) throw state.error;
    return database;
  }, clock);
  return { clock, counts, state, database, store };
}

test("is opened at its first use, once, and closed only where it was", async () => {
  const { clock, counts, database, store } = counted();
  await store.close();
  expect(counts).toEqual({ opened: 0, closed: 0 });
  expect(await Promise.all([store.get(), store.get()])).toEqual([database, database]);
  await clock.advance(60_000);
  await store.get();
  await store.close();
  expect(counts).toEqual({ opened: 1, closed: 1 });
});

test("that cannot be opened fails at once for ten seconds, and is tried again then", async () => {
  const { clock, counts, state, database, store } = counted();
  state.error = new Error("no such server");
  await expect(store.get()).rejects.toThrow("no such server");
  await expect(store.get()).rejects.toThrow("no such server");
  await clock.advance(9_999);
  await expect(store.get()).rejects.toThrow("no such server");
  expect(counts.opened).toBe(1);
  await store.close();
  state.error = undefined;
  await clock.advance(1);
  expect(await store.get()).toBe(database);
  await clock.advance(60_000);
  await store.get();
  expect(counts).toEqual({ opened: 2, closed: 0 });
});

import { expect, test } from "vitest";
import { runLateReaders } from "./readers/run-late-readers.ts";
import { runReaders } from "./readers/run-readers.ts";

/** Far below what copies would hold. Garbage does not count, so the machine's speed and load do not matter. */
const HELD_BYTES = 64 * 1024 * 1024;

test("fifty slow readers hold little memory, and a healthy one beside them misses nothing (EN10; docs/reliability.md)", async () => {
  const figures = await runReaders({ readers: 50, floodChars: 3_600_000, talkMs: 2_000, finishers: 5, collect: true });
  expect(figures).toMatchObject({ pieces: 100, finished: 5, different: 0 });
  expect(figures.held).toBeLessThan(HELD_BYTES);
});

test("fifty readers that come to a task of 4 MB and read nothing hold no copy of it each (EN10)", async () => {
  const options = { readers: 50, chars: 3_990_000, backWithin: Number.POSITIVE_INFINITY, warm: false, collect: true };
  const { held } = await runLateReaders(options);
  expect(held).toBeLessThan(HELD_BYTES);
});

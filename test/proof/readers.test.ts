import { expect, test } from "vitest";
import { runLateReaders } from "./readers/run-late-readers.ts";
import { runReaders } from "./readers/run-readers.ts";

test("a hundred slow readers cost little memory, and a healthy one beside them misses nothing (EN10; docs/reliability.md)", async () => {
  const figures = await runReaders({ readers: 100, floodChars: 3_600_000, talkMs: 2_000, finishers: 5 });
  expect(figures).toMatchObject({ pieces: 100, finished: 5, different: 0 });
  expect((figures.peak - figures.idle) / 1024 / 1024).toBeLessThan(64);
});

test("a hundred readers that come to a task of 4 MB and read nothing cost no copy of it each (EN10)", async () => {
  const { idle, peak, after } = await runLateReaders({ readers: 100, chars: 3_990_000, backWithin: 64 * 1024 * 1024 });
  // Copies would be 380 MB. Half of this is garbage that the proof's own bounds leave less room for.
  expect((peak - idle) / 1024 / 1024).toBeLessThan(128);
  expect((after - idle) / 1024 / 1024).toBeLessThan(128);
});

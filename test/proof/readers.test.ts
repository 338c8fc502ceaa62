import { expect, test } from "vitest";
import { runReaders } from "./readers/run-readers.ts";

test("a hundred slow readers cost little memory, and a healthy one beside them misses nothing (E10; docs/reliability.md)", async () => {
  const figures = await runReaders({ readers: 100, floodChars: 3_600_000, talkMs: 2_000, finishers: 5 });
  expect(figures).toMatchObject({ pieces: 100, finished: 5, different: 0 });
  expect((figures.peak - figures.idle) / 1024 / 1024).toBeLessThan(64);
});

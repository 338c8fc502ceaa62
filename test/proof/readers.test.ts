import { expect, test } from "vitest";
import { runReaders } from "./readers/run-readers.ts";

test("a hundred slow readers cost little memory and do not slow a healthy one (E10; docs/reliability.md)", async () => {
  const figures = await runReaders({ readers: 100, floodChars: 3_600_000, talkMs: 2_000, finishers: 5 });
  expect(figures).toMatchObject({ pieces: 100, finished: 5, different: 0 });
  expect((figures.peak - figures.idle) / 1024 / 1024).toBeLessThan(64);
  // The figure for a machine at peace stands in the document; here other tests run beside it.
  expect(figures.latency.p99).toBeLessThan(2_000);
}, 120_000);

import { expect, test } from "vitest";
import { runFuzz } from "./fuzz/run-fuzz.ts";

test("800 requests, valid and hostile, are answered as documented and hurt nothing (docs/reliability.md)", async () => {
  // The bound of a machine that does nothing else is held by `pnpm proof:fuzz`; here only a loop that hangs breaks it.
  const report = await runFuzz({ seed: "suite", requests: 800, parallel: 32, mostStallMs: 2_000 });
  expect({ violations: report.violations, folder: report.folder }).toEqual({ violations: [], folder: report.folder });
  expect(report.requests).toBeGreaterThanOrEqual(800);
  // The result would mean nothing if requests had not got through.
  expect(report.outcomes.get("ok")).toBeGreaterThan(200);
  expect(report.acknowledged).toBeGreaterThan(120);
});

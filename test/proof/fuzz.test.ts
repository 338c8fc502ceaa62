import { expect, test } from "vitest";
import { runFuzz } from "./fuzz/run-fuzz.ts";

test("2,000 requests, valid and hostile, are answered as documented and hurt nothing (docs/reliability.md)", async () => {
  // The bound of a machine that does nothing else is held by `pnpm proof:fuzz`; here only a loop that hangs breaks it.
  const report = await runFuzz({ seed: "suite", requests: 2_000, parallel: 32, mostStallMs: 2_000 });
  expect({ violations: report.violations, folder: report.folder }).toEqual({ violations: [], folder: report.folder });
  expect(report.requests).toBeGreaterThanOrEqual(2_000);
  // The result would mean nothing if requests had not got through.
  expect(report.outcomes.get("ok")).toBeGreaterThan(500);
  expect(report.acknowledged).toBeGreaterThan(300);
});

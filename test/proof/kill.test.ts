import { expect, test } from "vitest";
import { runTrials } from "./run-trials.ts";

test("nothing acknowledged is lost by SIGKILL at any moment, 8 times over (EN9; docs/reliability.md)", async () => {
  const seeds: string[] = [];
  const failed = await runTrials({
    seed: "suite",
    first: 0,
    // `pnpm proof:kill` runs as many as are wanted.
    count: 8,
    parallel: 2,
    onReport: (report) => seeds.push(report.seed),
  });
  expect(failed.map(({ seed, kills, violations, folder }) => ({ seed, kills, violations, folder }))).toEqual([]);
  expect(seeds).toHaveLength(8);
});

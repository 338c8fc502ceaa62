/**
 * `pnpm proof:schedule [--days N] [--jobs N] [--restarts N] [--seed S]`: a virtual year of jobs in 20 zones, with restarts at random
 * moments and jumps of the clock both ways. Every slot that a scan of every minute finds is in the ledger exactly once.
 */
import { parseArgs } from "node:util";
import { randomOf } from "./schedule/random.ts";
import { proveSchedule } from "./schedule/run-schedule.ts";

const { values } = parseArgs({
  options: {
    days: { type: "string", default: "365" },
    jobs: { type: "string", default: "40" },
    restarts: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
  },
});
const from = Date.UTC(2026, 0, 1);
const began = performance.now();
const result = await proveSchedule({
  ...{ from, to: from + Number(values.days) * 86_400_000, random: randomOf(Number(values.seed)) },
  ...{ jobs: Number(values.jobs), restarts: Number(values.restarts), onProgress: (text) => console.log(text) },
});
const { problems, ...counts } = result;
for (const problem of problems.slice(0, 50)) console.error(problem);
console.log(
  `${JSON.stringify(counts)} in ${Math.round((performance.now() - began) / 1000)} s, ${problems.length} violations`,
);
process.exitCode = problems.length === 0 ? 0 : 1;

/**
 * `pnpm proof:documents [--count N] [--trials T] [--seed S]`: damaged and hostile documents, and kills among the reading of
 * whole ones. What was read, and what came of it, stands in `docs/security.md`.
 */
import { parseArgs } from "node:util";
import { runDocuments } from "./documents/run-documents.ts";
import { runIngestKills } from "./documents/run-ingest-kills.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "2000" },
    trials: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
  },
});
const read = await runDocuments(values.seed, Number(values.count));
for (const [outcome, times] of [...read.outcomes].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  console.log(`${String(times).padStart(5)} ${outcome}`);
console.log(
  `${values.count} documents, the slowest took ${Math.round(read.slowestMs)} ms; the loop was held ${Math.round(read.heldMs)} ms at most`,
);
const killed = await runIngestKills(values.seed, Number(values.trials));
console.log(`${killed.kills} kills in ${values.trials} trials, ${killed.acknowledged} documents acknowledged`);
const violations = [...read.violations, ...killed.violations];
console.log(`${violations.length} violations`);
for (const violation of violations) console.log(`    ${violation}`);
process.exitCode = violations.length === 0 ? 0 : 1;

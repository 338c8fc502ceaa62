/**
 * `pnpm proof:edits [--trials N] [--seed S] [--first I]`: kills the service while it edits, deletes and restores files, and
 * looks for files that are torn, changed twice or in doubt. Its figures are in `docs/reliability.md`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { runEdits } from "./edits/run-edits.ts";

const { values } = parseArgs({
  options: {
    trials: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
    first: { type: "string", default: "0" },
  },
});
const count = Number(values.trials);
const first = Number(values.first);
if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(first) || first < 0) {
  console.error("--trials takes a whole number from 1 on, --first one from 0 on");
  process.exit(1);
}
const compileCache = mkdtempSync(path.join(tmpdir(), "proof-edits-compiled-"));
const sums = { changes: 0, undone: 0, deleted: 0 };
let failed = 0;
for (let trial = first; trial < first + count; trial++) {
  const { seed, kills, violations, figures, folder } = await runEdits(`${values.seed}/${trial}`, compileCache);
  for (const [name, value] of Object.entries(figures)) sums[name as keyof typeof sums] += value;
  if (violations.length > 0) failed++;
  console.log(`${trial} ${violations.length === 0 ? "passed" : "FAILED"} ${seed} killed ${kills.join(", then ")}`);
  for (const violation of violations) console.log(`    ${violation}   kept: ${folder}`);
}
rmSync(compileCache, { recursive: true, force: true });
console.log(`\nseed ${values.seed}: ${count - failed} of ${count} trials passed; ${JSON.stringify(sums)}`);
process.exitCode = failed === 0 ? 0 : 1;

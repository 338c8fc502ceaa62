/**
 * `pnpm proof:kill [--trials N] [--seed S] [--first I] [--parallel P] [--only requests|schedules|memory|watches|goals] [--every-failpoint]`: kills the service over and over and looks for
 * anything acknowledged that was lost. With `--only memory --every-failpoint` the first life of each trial ends at another failpoint of forgetting. What it checks, and its figures, are in `docs/reliability.md`.
 */
import { parseArgs } from "node:util";
import { FORGETTING_KILLS } from "./kill-memory/memory-trial.ts";
import type { TrialReport } from "./run-trial.ts";
import { runTrials, TRIAL_KINDS } from "./run-trials.ts";

const { values } = parseArgs({
  options: {
    trials: { type: "string" },
    seed: { type: "string", default: "1" },
    first: { type: "string", default: "0" },
    parallel: { type: "string", default: "2" },
    only: { type: "string" },
    "every-failpoint": { type: "boolean", default: false },
  },
});
function whole(name: "trials" | "first" | "parallel", least: number): number {
  const value = Number(values[name]);
  if (Number.isSafeInteger(value) && value >= least) return value;
  console.error(`--${name} takes a whole number from ${least} on, not ${values[name]}`);
  process.exit(1);
}

const first = whole("first", 0);
const parallel = whole("parallel", 1);
const { seed } = values;
const only = TRIAL_KINDS.find((kind) => kind === values.only);
if (only !== values.only) {
  console.error(`--only takes one of ${TRIAL_KINDS.join(", ")}`);
  process.exit(1);
}
const isEvery = values["every-failpoint"];
if (isEvery && only !== "memory") {
  console.error("--every-failpoint is of --only memory");
  process.exit(1);
}
const usual = isEvery ? FORGETTING_KILLS.length : 20;
const count = values.trials === undefined ? usual : whole("trials", 1);
const sums: Record<string, number> = { kills: 0, acknowledged: 0, frames: 0, resume: 0, auto: 0, fail: 0 };
let done = 0;

function add(report: TrialReport): void {
  done++;
  const { acknowledged, frames, figures, onRestart } = report;
  const all = { kills: report.kills.length, acknowledged, frames, [onRestart]: 1, ...figures };
  for (const [name, value] of Object.entries(all)) sums[name] = (sums[name] ?? 0) + value;
  const verdict = report.violations.length === 0 ? "passed" : "FAILED";
  const kills = report.kills.join(", then ");
  console.log(
    `${done}/${count} ${verdict} ${report.seed} on_restart=${report.onRestart}, killed ${kills} (${Math.round(report.ms)} ms)`,
  );
  for (const violation of report.violations) console.log(`    ${violation}`);
  if (report.violations.length === 0) return;
  const number = report.seed.slice(seed.length + 1);
  console.log(
    `    again: pnpm proof:kill${only === undefined ? "" : ` --only ${only}`}${isEvery ? " --every-failpoint" : ""} --seed ${seed} --first ${number} --trials 1   kept: ${report.folder}`,
  );
}

const startedAt = performance.now();
const failed = await runTrials({
  seed,
  first,
  count,
  ...{ parallel, only, onReport: add },
  ...(isEvery && { firstKills: FORGETTING_KILLS }),
});
const seconds = Math.round((performance.now() - startedAt) / 1000);
console.log(`\nseed ${seed}: ${count - failed.length} of ${count} trials passed in ${seconds} s`);
console.log(
  Object.entries(sums)
    .map(([name, value]) => `${name} ${value}`)
    .join(", "),
);
process.exitCode = failed.length === 0 ? 0 : 1;

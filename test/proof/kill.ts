/**
 * `pnpm proof:kill [--trials N] [--seed S] [--first I] [--parallel P]`: kills the service over and over and looks for
 * anything acknowledged that was lost. What it checks, and its figures, are in `docs/reliability.md`.
 */
import { parseArgs } from "node:util";
import type { TrialReport } from "./run-trial.ts";
import { runTrials } from "./run-trials.ts";

const { values } = parseArgs({
  options: {
    trials: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    first: { type: "string", default: "0" },
    parallel: { type: "string", default: "2" },
  },
});
function whole(name: "trials" | "first" | "parallel", least: number): number {
  const value = Number(values[name]);
  if (Number.isSafeInteger(value) && value >= least) return value;
  console.error(`--${name} takes a whole number from ${least} on, not ${values[name]}`);
  process.exit(1);
}

const count = whole("trials", 1);
const first = whole("first", 0);
const parallel = whole("parallel", 1);
const { seed } = values;
const sums = {
  kills: 0,
  acknowledged: 0,
  frames: 0,
  resume: 0,
  auto: 0,
  fail: 0,
  tasks: 0,
  events: 0,
  calls: 0,
  prompts: 0,
  writes: 0,
  interrupted: 0,
  askedAgain: 0,
  inScripts: 0,
  askedInScripts: 0,
  commands: 0,
  commandLines: 0,
  leftRunning: 0,
  items: 0,
  itemTurns: 0,
  memories: 0,
  replaced: 0,
  issues: 0,
  steered: 0,
  withdrawn: 0,
  jobs: 0,
  deliveries: 0,
  delegations: 0,
  webhooks: 0,
  posts: 0,
  repeatedPosts: 0,
  countedPosts: 0,
  mcpCalls: 0,
  mcpEffects: 0,
  mcpAllowedAgain: 0,
  mcpForms: 0,
  mcpFormsAfterKill: 0,
  mcpHeldForms: 0,
  mcpTasks: 0,
};
let done = 0;

function add(report: TrialReport): void {
  done++;
  sums.kills += report.kills.length;
  sums.acknowledged += report.acknowledged;
  sums.frames += report.frames;
  sums[report.onRestart]++;
  for (const [name, value] of Object.entries(report.figures)) sums[name as keyof typeof report.figures] += value;
  const verdict = report.violations.length === 0 ? "passed" : "FAILED";
  const kills = report.kills.join(", then ");
  console.log(
    `${done}/${count} ${verdict} ${report.seed} on_restart=${report.onRestart}, killed ${kills} (${Math.round(report.ms)} ms)`,
  );
  for (const violation of report.violations) console.log(`    ${violation}`);
  if (report.violations.length === 0) return;
  const number = report.seed.slice(seed.length + 1);
  console.log(`    again: pnpm proof:kill --seed ${seed} --first ${number} --trials 1   kept: ${report.folder}`);
}

const startedAt = performance.now();
const failed = await runTrials({
  seed,
  first,
  count,
  parallel,
  onReport: add,
});
const seconds = Math.round((performance.now() - startedAt) / 1000);
console.log(`\nseed ${seed}: ${count - failed.length} of ${count} trials passed in ${seconds} s`);
console.log(
  Object.entries(sums)
    .map(([name, value]) => `${name} ${value}`)
    .join(", "),
);
process.exitCode = failed.length === 0 ? 0 : 1;

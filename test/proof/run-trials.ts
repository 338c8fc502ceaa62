/** Many trials, a few at a time. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runGoalTrial } from "./kill-goals/goal-trial.ts";
import { runMemoryTrial } from "./kill-memory/memory-trial.ts";
import type { SelfKill } from "./kill-moment.ts";
import { runScheduleTrial } from "./kill-schedule/schedule-trial.ts";
import { runWatchTrial } from "./kill-watches/watch-trial.ts";
import { createRandom } from "./random.ts";
import { runTrial, type TrialContext, type TrialReport } from "./run-trial.ts";
import { startLife } from "./service-life.ts";

/** What to run. */
export interface TrialsOptions {
  /** The trials' seeds are `<seed>/<number>`. */
  readonly seed: string;
  /** Number of the first. */
  readonly first: number;
  readonly count: number;
  readonly parallel: number;
  /** Only trials of requests, of jobs by a schedule, of memory, of watches or of goals; undefined: one in five is of jobs, as many of memory, one in ten of watches, as many of goals. */
  readonly only?: TrialKind | undefined;
  /** Where the first lives of the trials are to end, one after the other. Default: anywhere. */
  readonly firstKills?: readonly SelfKill[] | undefined;
  /** What `warmUp` returned; default: it is called first. */
  readonly context?: TrialContext;
  readonly onReport: (report: TrialReport) => void;
}

/** What a trial is about. */
export const TRIAL_KINDS = ["requests", "schedules", "memory", "watches", "goals"] as const;
export type TrialKind = (typeof TRIAL_KINDS)[number];

const RUN = {
  requests: runTrial,
  schedules: runScheduleTrial,
  memory: runMemoryTrial,
  watches: runWatchTrial,
  goals: runGoalTrial,
} as const;

function drawKind(seed: string): TrialKind {
  const random = createRandom(seed);
  if (random.fork("schedules").chance(0.2)) return "schedules";
  if (random.fork("memory").chance(0.25)) return "memory";
  if (random.fork("watches").chance(1 / 6)) return "watches";
  return random.fork("goals").chance(1 / 5) ? "goals" : "requests";
}

/** Starts the service once, so that its sources are compiled and a start has a length. */
export async function warmUp(compileCache: string, root: string): Promise<TrialContext> {
  const folder = { home: `${root}/home`, config: `${root}/config`, deeds: `${root}/deeds`, epoch: Date.now() };
  let bootMs = 0;
  // Where all processes share what one has compiled, the first start is like any other.
  const starts = process.env.NODE_COMPILE_CACHE === undefined ? 2 : 1;
  for (let start = 0; start < starts; start++) {
    const from = performance.now();
    const life = startLife(folder, undefined, compileCache);
    const url = await life.ready;
    bootMs = performance.now() - from;
    life.kill();
    const { log } = await life.gone;
    if (url === undefined) throw new Error(`the service does not start: ${log}`);
  }
  return { compileCache, bootMs };
}

/** Runs them and returns the reports of those that failed. */
export async function runTrials({
  seed,
  first,
  count,
  parallel,
  only,
  onReport,
  firstKills = [],
  ...options
}: TrialsOptions): Promise<TrialReport[]> {
  const root = mkdtempSync(path.join(tmpdir(), "proof-warm-"));
  const failed: TrialReport[] = [];
  let next = first;
  try {
    const context = options.context ?? (await warmUp(`${root}/compiled`, root));
    const worker = async (): Promise<void> => {
      while (next < first + count) {
        const firstKill = firstKills[next % Math.max(1, firstKills.length)];
        const own = `${seed}/${next++}`;
        const report = await RUN[only ?? drawKind(own)](own, { ...context, ...(firstKill && { firstKill }) });
        if (report.violations.length > 0) failed.push(report);
        onReport(report);
      }
    };
    await Promise.all(Array.from({ length: parallel }, worker));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return failed;
}

/** One trial of jobs by a schedule: a service whose time runs 60 times as fast is killed, and every slot is accounted for. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { checkStore } from "../check-store.ts";
import { commandSettings } from "../commands-of-trial.ts";
import { steadyClock } from "../fast-clock.ts";
import { describeKill, type KillMoment } from "../kill-moment.ts";
import { type KilledTrial, killedLife, newTrialFolder } from "../killed-life.ts";
import { lastLife } from "../last-life.ts";
import { Ledger } from "../ledger.ts";
import { createRandom, type Random } from "../random.ts";
import { runLives } from "../run-lives.ts";
import type { TrialContext, TrialReport } from "../run-trial.ts";
import { checkSlotLedger } from "./check-slots.ts";
import { change, type JobWork, type KnownJob, knownOf, lookAt, make, workOnJobs } from "./job-clients.ts";
import { drawScheduledJobs } from "./scheduled-job.ts";

/** A minute of the service is a second of the machine. */
const SPEED = 60;
/** Milliseconds for slots, their retries and what is caught up, before the jobs are switched off in the end. */
const LAST_MS = 2_500;

/** The commits of schedules, and the one that accepts a slot's turn with its row. */
const LABELS = [
  ...["task.accept", "schedule.put", "schedule.remove", "schedule.end", "schedule.missed"],
  ...["schedule.skipped", "schedule.queued", "schedule.boot"],
] as const;

interface Trial extends KilledTrial {
  readonly known: readonly KnownJob[];
}

function drawMoment(random: Random): KillMoment {
  const kind = random.next();
  if (kind < 0.1) return { kind: "booting", share: 0.3 + 0.7 * random.next() };
  if (kind < 0.25) return { kind: "serving", ms: random.int(50, 3_000) };
  const side = random.pick(["before", "after"] as const);
  if (kind < 0.35) return { kind: "self", self: { kind: "tool", side, nth: random.int(1, 4) } };
  const label = random.pick(LABELS);
  const most = label === "task.accept" || label === "schedule.end" || label === "schedule.put" ? 12 : 2;
  return { kind: "self", self: { kind: "label", label, side, nth: random.int(1, most) } };
}

function workOf({ folder, ledger }: Trial, url: string): JobWork {
  const clock = steadyClock(folder.epoch, SPEED);
  const setFlag = (works: boolean): void =>
    writeFileSync(`${folder.home}/workspace/flag.txt`, works ? "work" : "nothing");
  return { url, ledger, now: () => clock.now(), setFlag };
}

/** What is due runs, then every job is switched off. */
async function runDueJobs({ known }: Trial, work: JobWork): Promise<void> {
  for (const one of known) await lookAt(one, work);
  // On a slow machine every life may have ended before it was asked for a job.
  for (const one of known) if (one.made === "no") await make(one, work);
  const there = known.filter(({ made, removed }) => made === "yes" && removed !== "yes");
  for (const one of there) await change(one, work, { enabled: true });
  await sleep(LAST_MS);
  for (const one of there) await change(one, work, { enabled: false });
}

/** Runs the trial of a seed. */
export async function runScheduleTrial(seed: string, context: TrialContext): Promise<TrialReport> {
  const startedAt = performance.now();
  const random = createRandom(seed);
  const onRestart = random.pick(["resume", "auto", "fail"] as const);
  const root = mkdtempSync(`${tmpdir()}/proof-slots-`);
  const folder = newTrialFolder(root, { onRestart, settings: commandSettings(false), speed: SPEED });
  const known = drawScheduledJobs(random.fork("jobs"), random.int(5, 9), "flag.txt").map(knownOf);
  const ledger = new Ledger();
  // A limit of time is a sixtieth as long here, which a busy machine exceeds.
  const complaint = /^(?!.*it takes too long).*(\b(error|stack)\b|could not)/i;
  const trial: Trial = { folder, ledger, known, context, complaint, life: undefined, reached: 0 };
  const file = `${root}/agent.db`;
  const moments = Array.from({ length: random.int(1, 3) }, (_, i) => drawMoment(random.fork(`kill${i}`)));
  await runLives(trial, async () => {
    for (const [i, moment] of moments.entries())
      await killedLife(trial, moment, (url) => workOnJobs(known, workOf(trial, url), random.fork(`life${i}`)));
    await lastLife(trial, random.fork("last"), {
      before: (url) => runDueJobs(trial, workOf(trial, url)),
      async after(url) {
        for (const one of known) await lookAt(one, workOf(trial, url));
      },
    });
  });
  const figures = {
    ...checkStore(file, folder.deeds, undefined, ledger),
    ...checkSlotLedger(file, { known, deeds: folder.deeds, ledger }),
    reachedCommits: trial.reached,
  };
  if (ledger.violations.length === 0) rmSync(root, { recursive: true, force: true });
  return {
    ...{ seed, onRestart, violations: ledger.violations, figures, folder: root },
    kills: moments.map(describeKill),
    acknowledged: known.filter(({ made }) => made === "yes").length,
    frames: 0,
    ms: performance.now() - startedAt,
  };
}

/** One trial of goals: a service whose time runs 60 times as fast is killed, and every turn and verdict is accounted for. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { checkStore } from "../check-store.ts";
import { describeKill, type KillMoment } from "../kill-moment.ts";
import { type Pages, startPages } from "../kill-watches/proof-watch.ts";
import { type KilledTrial, killedLife, newTrialFolder } from "../killed-life.ts";
import { lastLife } from "../last-life.ts";
import { Ledger } from "../ledger.ts";
import { createRandom, type Random } from "../random.ts";
import { runLives } from "../run-lives.ts";
import type { TrialContext, TrialReport } from "../run-trial.ts";
import { checkGoals } from "./check-goals.ts";
import { type KnownGoal, knownOf, lookAt, workOnGoals } from "./goal-clients.ts";
import { drawGoals } from "./proof-goal.ts";

/** Half a minute, after which what failed is tried again, is half a second of the machine. */
const SPEED = 60;
const SETTINGS = "egress:\n  allowed_hosts: ['127.0.0.1']\n";

/** The commits of goals, and those that accept what follows from a verdict with its row. */
const LABELS = [
  ...["task.accept", "task.notice", "turn.close", "goal.set", "goal.step", "goal.clear", "goal.extend"],
] as const;
const FREQUENT: ReadonlySet<string> = new Set(["task.accept", "turn.close", "goal.step"]);

interface Trial extends KilledTrial {
  readonly known: readonly KnownGoal[];
  readonly pages: Pages;
}

function drawMoment(random: Random): KillMoment {
  const kind = random.next();
  if (kind < 0.08) return { kind: "booting", share: 0.3 + 0.7 * random.next() };
  if (kind < 0.2) return { kind: "serving", ms: random.int(50, 2_000) };
  const side = random.pick(["before", "after"] as const);
  if (kind < 0.3) return { kind: "self", self: { kind: "tool", side, nth: random.int(1, 6) } };
  const label = random.pick(LABELS);
  return { kind: "self", self: { kind: "label", label, side, nth: random.int(1, FREQUENT.has(label) ? 20 : 2) } };
}

/** Runs the trial of a seed. */
export async function runGoalTrial(seed: string, context: TrialContext): Promise<TrialReport> {
  const startedAt = performance.now();
  const random = createRandom(seed);
  const onRestart = random.pick(["resume", "auto", "fail"] as const);
  const root = mkdtempSync(`${tmpdir()}/proof-goals-`);
  const folder = newTrialFolder(root, { onRestart, settings: SETTINGS, speed: SPEED });
  const known = drawGoals(random.fork("goals"), random.int(3, 6)).map(knownOf);
  const ledger = new Ledger();
  const pages = await startPages();
  const complaint = /\b(error|stack)\b|could not/i;
  const trial: Trial = { folder, ledger, known, pages, context, complaint, life: undefined, reached: 0 };
  const file = `${root}/agent.db`;
  const moments = Array.from({ length: random.int(1, 4) }, (_, i) => drawMoment(random.fork(`kill${i}`)));
  await runLives(trial, async () => {
    for (const [i, moment] of moments.entries())
      await killedLife(trial, moment, (url) => workOnGoals(known, { url, ledger, pages }, random.fork(`life${i}`)));
    const look = async (url: string): Promise<void> => {
      for (const one of known) await lookAt(one, { url, ledger, pages });
    };
    await lastLife(trial, random.fork("last"), { before: look, after: look });
  });
  await pages.close();
  const figures = {
    ...checkStore(file, folder.deeds, undefined, ledger),
    ...checkGoals(file, { known, deeds: folder.deeds, ledger }),
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

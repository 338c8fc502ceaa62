/** One trial of watches: a service whose time runs 60 times as fast is killed, and every fire is accounted for. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { checkStore } from "../check-store.ts";
import { describeKill, type KillMoment } from "../kill-moment.ts";
import { type KilledTrial, killedLife, newTrialFolder } from "../killed-life.ts";
import { lastLife } from "../last-life.ts";
import { Ledger } from "../ledger.ts";
import { createRandom, type Random } from "../random.ts";
import { runLives } from "../run-lives.ts";
import type { TrialContext, TrialReport } from "../run-trial.ts";
import { checkWatches } from "./check-watches.ts";
import { drawWatches, type Pages, startPages } from "./proof-watch.ts";
import { type KnownWatch, knownOf, lookAt, see, workOnWatches } from "./watch-clients.ts";

/** A minute of the service is a second of the machine: a watch is checked twelve times in it. */
const SPEED = 60;
const SETTINGS = "watches:\n  interval: 5\negress:\n  allowed_hosts: ['127.0.0.1']\n";
/** Checks of the last life: more than a watch needs to be reported as unchanged. */
const LAST_CHECKS = 5;

/** The commits of watches, and those that accept what a fire starts with its row. */
const LABELS = [
  ...["task.accept", "task.notice", "watch.create", "watch.change", "watch.clear"],
  ...["watch.edge", "watch.count", "watch.reaction", "watch.counters"],
] as const;
const FREQUENT: ReadonlySet<string> = new Set(["task.accept", "task.notice", "watch.edge", "watch.reaction"]);

interface Trial extends KilledTrial {
  readonly known: readonly KnownWatch[];
  readonly pages: Pages;
}

function drawMoment(random: Random): KillMoment {
  const kind = random.next();
  if (kind < 0.08) return { kind: "booting", share: 0.3 + 0.7 * random.next() };
  if (kind < 0.2) return { kind: "serving", ms: random.int(50, 2_000) };
  const side = random.pick(["before", "after"] as const);
  if (kind < 0.28) return { kind: "self", self: { kind: "tool", side, nth: random.int(1, 4) } };
  const label = random.pick(LABELS);
  return { kind: "self", self: { kind: "label", label, side, nth: random.int(1, FREQUENT.has(label) ? 10 : 2) } };
}

/** Every watch is known as it is, and sees its page as it is. */
async function seeAll(trial: Trial, url: string): Promise<void> {
  const { known, ledger, pages } = trial;
  const work = { url, ledger, pages };
  for (const one of known) await lookAt(one, work);
  const there = known.filter(({ made, removed }) => made === "yes" && removed === "no");
  for (let i = 0; i < LAST_CHECKS; i++) for (const one of there) if (!one.ended) await see(one, work);
}

/** Runs the trial of a seed. */
export async function runWatchTrial(seed: string, context: TrialContext): Promise<TrialReport> {
  const startedAt = performance.now();
  const random = createRandom(seed);
  const onRestart = random.pick(["resume", "auto", "fail"] as const);
  const root = mkdtempSync(`${tmpdir()}/proof-watches-`);
  const folder = newTrialFolder(root, { onRestart, settings: SETTINGS, speed: SPEED });
  const known = drawWatches(random.fork("watches"), random.int(5, 8)).map(knownOf);
  const ledger = new Ledger();
  const pages = await startPages();
  // A limit of time is a sixtieth as long here, which a busy machine exceeds.
  const complaint = /^(?!.*it takes too long).*(\b(error|stack)\b|could not)/i;
  const trial: Trial = { folder, ledger, known, pages, context, complaint, life: undefined, reached: 0 };
  const file = `${root}/agent.db`;
  const moments = Array.from({ length: random.int(1, 4) }, (_, i) => drawMoment(random.fork(`kill${i}`)));
  await runLives(trial, async () => {
    for (const [i, moment] of moments.entries())
      await killedLife(trial, moment, (url) => workOnWatches(known, { url, ledger, pages }, random.fork(`life${i}`)));
    await lastLife(trial, random.fork("last"), {
      before: (url) => seeAll(trial, url),
      async after(url) {
        for (const one of known) await lookAt(one, { url, ledger, pages });
      },
    });
  });
  await pages.close();
  const figures = {
    ...checkStore(file, folder.deeds, undefined, ledger),
    ...checkWatches(file, { known, deeds: folder.deeds, ledger }),
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

/** A trial of what the agent does by itself: lives that are killed at commits of one kind, a last one that comes to rest, and the verdict. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { checkStore } from "./check-store.ts";
import { describeKill, type KillMoment } from "./kill-moment.ts";
import { type KilledTrial, killedLife, newTrialFolder } from "./killed-life.ts";
import { drawLabelledMoment, type LabelledMoments } from "./labelled-moment.ts";
import { lastLife } from "./last-life.ts";
import { Ledger } from "./ledger.ts";
import { createRandom, type Random } from "./random.ts";
import { runLives } from "./run-lives.ts";
import type { TrialContext, TrialReport } from "./run-trial.ts";

/** A minute of the service is a second of the machine. */
export const SPEED = 60;

/** What clients do in one life. */
export interface LifeWork {
  /** Works until the process ends. */
  work(url: string): Promise<void>;
}

/** What clients do in all lives of a trial, and what they hold against the store in the end. */
export interface OpenTrial {
  /** Things that were acknowledged. */
  readonly acknowledged: () => number;
  /** A life that will be killed at `moment`, before it starts. */
  prepare(moment: KillMoment, random: Random): LifeWork;
  /** The last life, before it starts. */
  prepareLast?(): void;
  /** In the last life, before what is open comes to its end, and once nothing is open any more. */
  before(url: string): Promise<void>;
  after(url: string): Promise<void>;
  close?(): Promise<void>;
  /** Holds the store against what is known. */
  check(file: string, deeds: string): Readonly<Record<string, number>>;
}

/** What a kind of trials adds to what all of them do. */
export interface LabelledTrials {
  /** Begins the names of their folders. */
  readonly name: string;
  /** YAML beside that of the store. */
  readonly settings: string;
  readonly moments: LabelledMoments;
  /** Lives that are killed at most. */
  readonly mostKills: number;
  /** What a service may not write into its log. */
  readonly complaint: RegExp;
  open(parts: {
    readonly random: Random;
    readonly folder: KilledTrial["folder"];
    readonly ledger: Ledger;
  }): OpenTrial | Promise<OpenTrial>;
}

/** Runs the trial of a seed. */
export async function runLabelledTrial(
  seed: string,
  context: TrialContext,
  { name, settings, moments: drawn, mostKills, complaint, open }: LabelledTrials,
): Promise<TrialReport> {
  const startedAt = performance.now();
  const random = createRandom(seed);
  const onRestart = random.pick(["resume", "auto", "fail"] as const);
  const root = mkdtempSync(`${tmpdir()}/proof-${name}-`);
  const folder = newTrialFolder(root, { onRestart, settings, speed: SPEED });
  const ledger = new Ledger();
  const opened = await open({ random, folder, ledger });
  const trial: KilledTrial = { folder, ledger, context, complaint, life: undefined, reached: 0 };
  const moments = Array.from({ length: random.int(1, mostKills) }, (_, i) =>
    drawLabelledMoment(random.fork(`kill${i}`), drawn, i === 0),
  );
  const reachedAt: Record<string, number> = {};
  await runLives(trial, async () => {
    for (const [i, moment] of moments.entries()) {
      const before = trial.reached;
      const life = opened.prepare(moment, random.fork(`life${i}`));
      await killedLife(trial, moment, (url) => life.work(url));
      if (trial.reached === before || moment.kind !== "self") continue;
      const { label = "tool", side } = moment.self;
      reachedAt[`${side} ${label}`] = (reachedAt[`${side} ${label}`] ?? 0) + 1;
    }
    opened.prepareLast?.();
    await lastLife(trial, random.fork("last"), opened);
  });
  await opened.close?.();
  const figures = {
    ...checkStore(`${root}/agent.db`, folder.deeds, undefined, ledger),
    ...opened.check(`${root}/agent.db`, folder.deeds),
    reachedCommits: trial.reached,
    ...reachedAt,
  };
  if (ledger.violations.length === 0) rmSync(root, { recursive: true, force: true });
  return {
    ...{ seed, onRestart, violations: ledger.violations, figures, folder: root },
    kills: moments.map(describeKill),
    acknowledged: opened.acknowledged(),
    frames: 0,
    ms: performance.now() - startedAt,
  };
}

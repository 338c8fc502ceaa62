/** One trial of memory: a service is killed while things are remembered, asked about, corrected and forgotten. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { describeKill, type KillMoment } from "../kill-moment.ts";
import { Ledger } from "../ledger.ts";
import { createRandom, type Random } from "../random.ts";
import { type LivingTrial, runLives } from "../run-lives.ts";
import type { TrialContext, TrialReport } from "../run-trial.ts";
import { type ServiceLife, startLife, type TrialFolder } from "../service-life.ts";
import { LostError } from "../wire.ts";
import { checkMemories, forgottenWords, placesOf } from "./check-memories.ts";
import { finishForgetting, type Keeper, type MemoryWork, workOnMemory } from "./memory-clients.ts";

/** Milliseconds after which a life is killed that does not reach the moment it was to be killed at. */
const LIFE_MS = 4_000;
/** Rounds of looking whether a copy that a turn brought back is taken out again (KM11). */
const ROUNDS = 200;

/** The commits of forgetting, of deletions, of documents, of harvests and of skills. */
const LABELS = [
  ...["knowledge.forgetting", "knowledge.forgotten", "knowledge.receipt", "memory.forget", "prompts.rewrite"],
  ...["index.merged", "session.delete", "session.erase", "session.deleted", "knowledge.remember", "knowledge.receive"],
  ...["knowledge.append", "knowledge.ready", "memory.harvest", "memory.summaries", "memory.forgotten"],
  ...["skills.version", "skills.written"],
] as const;
/** Those that come with each thing. */
const FREQUENT: readonly string[] = ["knowledge.remember", "knowledge.append", "memory.forget", "index.merged"];

interface Trial extends LivingTrial {
  readonly folder: TrialFolder & { readonly root: string };
  readonly ledger: Ledger;
  readonly keepers: readonly Keeper[];
  readonly context: TrialContext;
  /** Lives that ended at the very commit they were to end at. */
  reached: number;
}

function drawMoment(random: Random): KillMoment {
  const kind = random.next();
  if (kind < 0.08) return { kind: "booting", share: 0.3 + 0.7 * random.next() };
  if (kind < 0.25) return { kind: "serving", ms: random.int(50, 2_500) };
  const side = random.pick(["before", "after"] as const);
  const label = random.pick(LABELS);
  const nth = random.int(1, FREQUENT.includes(label) ? 8 : 2);
  return { kind: "self", self: { kind: "label", label, side, nth } };
}

function prepare(root: string, onRestart: string): Trial["folder"] {
  const folder = {
    ...{ root, home: `${root}/home`, config: `${root}/config`, deeds: `${root}/deeds.jsonl` },
    epoch: Date.now(),
  };
  mkdirSync(folder.home);
  mkdirSync(folder.config);
  const store = `checkpoint:\n  db_path: ${root}/agent.db\n  on_restart: ${onRestart}\n`;
  writeFileSync(`${folder.config}/agent-config.yaml`, `${store}skills: {self_improvement: auto}\n`);
  return folder;
}

async function keepLog({ folder, ledger }: Trial, life: ServiceLife, stopped = false): Promise<void> {
  const { log, killed } = await life.gone;
  if (killed === stopped) ledger.blame(`the service ${killed ? "was killed" : "ended by itself"}: ${log.slice(-2000)}`);
  writeFileSync(`${folder.root}/service.log`, log, { flag: "a" });
  for (const line of log.split("\n"))
    if (/\b(error|stack)\b|could not|cannot/i.test(line))
      ledger.blame(`the service complained: ${line.slice(0, 2000)}`);
}

async function killedLife(trial: Trial, moment: KillMoment, random: Random): Promise<void> {
  const { folder, context, ledger } = trial;
  const life = startLife(folder, moment.kind === "self" ? moment.self : undefined, context.compileCache);
  trial.life = life;
  if (moment.kind === "booting") {
    await Promise.race([sleep(moment.share * context.bootMs), life.gone]);
    life.kill();
    await keepLog(trial, life);
    return;
  }
  const url = await life.ready;
  if (url !== undefined) {
    const work = workOnMemory(trial.keepers, { url, ledger }, random).catch((error: unknown) => {
      if (!(error instanceof LostError)) throw error;
    });
    const over = new AbortController();
    const end = sleep(moment.kind === "serving" ? moment.ms : LIFE_MS, "over", { signal: over.signal });
    const first = await Promise.race([end.catch(() => undefined), work, life.gone]);
    over.abort();
    if (moment.kind === "self" && first !== "over") trial.reached++;
    life.kill();
    await work;
  } else if (moment.kind === "self") trial.reached++;
  await keepLog(trial, life);
}

/** What was asked to be forgotten is, and everything comes to rest. */
async function lastLife(trial: Trial): Promise<void> {
  const { folder, context, keepers, ledger } = trial;
  const life = startLife(folder, undefined, context.compileCache);
  trial.life = life;
  let isAtRest = false;
  try {
    const url = await life.ready;
    if (url === undefined) throw new Error("the service did not start again");
    const work: MemoryWork = { url, ledger };
    for (const keeper of keepers) await finishForgetting(keeper, work);
    await life.idle();
    await untilRead(url);
    const words = forgottenWords(keepers.flatMap(({ things }) => things));
    for (let round = 0; round < ROUNDS && placesOf(folder.root, words).length > 0; round++) await sleep(50);
    isAtRest = true;
  } finally {
    if (isAtRest) life.stop();
    else life.kill();
    await keepLog(trial, life, isAtRest);
  }
}

/** Documents that a former process left are read. */
async function untilRead(url: string): Promise<void> {
  for (;;) {
    const reply = await fetch(`${url}/api/knowledge/sources`);
    const { sources } = (await reply.json()) as { readonly sources: readonly { readonly state: string }[] };
    if (sources.every(({ state }) => state !== "queued" && state !== "reading")) return;
    await sleep(20);
  }
}

/** Runs the trial of a seed. */
export async function runMemoryTrial(seed: string, context: TrialContext): Promise<TrialReport> {
  const startedAt = performance.now();
  const random = createRandom(seed);
  const onRestart = random.pick(["resume", "auto", "fail"] as const);
  const root = mkdtempSync(`${tmpdir()}/proof-memory-`);
  const folder = prepare(root, onRestart);
  const topics = ["amber", "birch", "cedar", "delta", "ember"].slice(0, random.int(3, 5));
  const keepers = topics.map((topic): Keeper => ({ topic, things: [] }));
  const ledger = new Ledger();
  const trial: Trial = { folder, ledger, keepers, context, life: undefined, reached: 0 };
  const moments = Array.from({ length: random.int(2, 4) }, (_, i) => drawMoment(random.fork(`kill${i}`)));
  await runLives(trial, async () => {
    for (const [i, moment] of moments.entries()) await killedLife(trial, moment, random.fork(`life${i}`));
    await lastLife(trial);
  });
  const things = keepers.flatMap((keeper) => keeper.things);
  const figures = { ...checkMemories({ ...folder, things, ledger }), reachedCommits: trial.reached };
  if (ledger.violations.length === 0) rmSync(root, { recursive: true, force: true });
  return {
    ...{ seed, onRestart, violations: ledger.violations, figures, folder: root },
    kills: moments.map(describeKill),
    acknowledged: things.filter(({ made }) => made === "yes").length,
    frames: 0,
    ms: performance.now() - startedAt,
  };
}

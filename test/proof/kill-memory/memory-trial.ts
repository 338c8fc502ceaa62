/** One trial of memory: a service is killed while things are remembered, asked about, corrected and forgotten. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { WAIT_LIMIT_MS } from "../../run/limits.ts";
import { setDeadline } from "../deadline.ts";
import { describeKill, type KillMoment, type SelfKill } from "../kill-moment.ts";
import { type KilledTrial, keepLog, killedLife, newTrialFolder } from "../killed-life.ts";
import { Ledger } from "../ledger.ts";
import { createRandom, type Random } from "../random.ts";
import { runLives } from "../run-lives.ts";
import type { TrialContext, TrialReport } from "../run-trial.ts";
import { startLife } from "../service-life.ts";
import { checkMemories, forgottenWords, openRemovals, placesOf, unsharedMemories } from "./check-memories.ts";
import { finishForgetting, type Keeper, type MemoryWork, workOnMemory } from "./memory-clients.ts";

/** Rounds of looking whether a copy that a turn brought back is taken out again (KM11). */
const ROUNDS = 200;

/** The commits of forgetting, of deletions, of documents, of harvests and of skills. */
const LABELS = [
  ...["knowledge.forgetting", "knowledge.forgotten", "knowledge.receipt", "memory.forget", "prompts.rewrite"],
  ...["index.merged", "session.delete", "session.erase", "session.emptied", "session.deleted", "store.erase"],
  ...["knowledge.remember", "knowledge.receive", "knowledge.sharing", "knowledge.shared"],
  ...["knowledge.append", "knowledge.ready", "memory.harvest", "memory.summaries", "memory.forgotten"],
  ...["skills.version", "skills.written"],
] as const;
/** Those that come with each thing. */
const FREQUENT: readonly string[] = [
  "knowledge.remember",
  "knowledge.sharing",
  "knowledge.shared",
  "knowledge.append",
  "memory.forget",
  "index.merged",
  "store.erase",
];

/** The commits of forgetting, as far as a trial comes to them. */
const FORGETTING_LABELS = [
  ...["knowledge.forgetting", "memory.forget", "prompts.rewrite", "memory.forgotten", "knowledge.dropChunks"],
  ...["knowledge.discard", "knowledge.forgotten", "index.merged", "store.erase", "knowledge.receipt"],
  ...["knowledge.settled", "session.delete", "session.emptied", "session.erase", "session.deleted"],
] as const;

/** Each failpoint of forgetting once. */
export const FORGETTING_KILLS: readonly SelfKill[] = FORGETTING_LABELS.flatMap((label) =>
  (["before", "after"] as const).map((side): SelfKill => ({ kind: "label", label, side, nth: 1 })),
);
/** What only the life after another kill comes to. */
const AFTER_A_KILL: { readonly [label: string]: SelfKill } = {
  "knowledge.settled": { kind: "label", label: "knowledge.receipt", side: "after", nth: 1 },
};
/** Milliseconds in which a life comes to its failpoint. */
const FAILPOINT_MS = 60_000;

interface Trial extends KilledTrial {
  readonly keepers: readonly Keeper[];
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
    await untilForgotten(folder);
    const words = forgottenWords(keepers.flatMap(({ things }) => things));
    for (let round = 0; round < ROUNDS && placesOf(folder.root, words).length > 0; round++) await sleep(50);
    isAtRest = true;
  } finally {
    if (isAtRest) life.stop();
    else life.kill();
    await keepLog(trial, life, isAtRest);
  }
}

/** What a former process was to forget or to delete is. */
async function untilForgotten({ root, home }: Trial["folder"]): Promise<void> {
  const limit = setDeadline(WAIT_LIMIT_MS);
  for (;;) {
    const { forgettings, deletions } = openRemovals(root, home);
    if (forgettings + deletions + unsharedMemories(home) === 0 || limit.signal.aborted) break;
    await sleep(50);
  }
  limit.clear();
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
  const isShared = random.fork("scope").chance(0.3);
  const settings = `skills: {self_improvement: auto}\n${isShared ? "knowledge: {scope: shared}\n" : ""}`;
  const folder = newTrialFolder(root, { onRestart, settings });
  const topics = ["amber", "birch", "cedar", "delta", "ember"].slice(0, random.int(3, 5));
  const keepers = topics.map((topic): Keeper => ({ topic, things: [] }));
  const ledger = new Ledger();
  const complaint = /\b(error|stack)\b|could not|cannot/i;
  const { firstKill } = context;
  const lifeMs = firstKill && { lifeMs: FAILPOINT_MS };
  const trial: Trial = { folder, ledger, keepers, context, complaint, life: undefined, reached: 0, ...lifeMs };
  const wanted = [AFTER_A_KILL[firstKill?.label ?? ""], firstKill].filter((one) => one !== undefined);
  const drawn = Array.from({ length: firstKill ? 0 : random.int(2, 4) }, (_, i) => drawMoment(random.fork(`kill${i}`)));
  const moments = [...wanted.map((self): KillMoment => ({ kind: "self", self })), ...drawn];
  await runLives(trial, async () => {
    for (const [i, moment] of moments.entries()) {
      await killedLife(trial, moment, (url) => workOnMemory(keepers, { url, ledger }, random.fork(`life${i}`)));
      if (i < wanted.length && trial.reached <= i) ledger.blame(`the service did not come ${describeKill(moment)}`);
    }
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

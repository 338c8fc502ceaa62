/** One trial: a store, a few lives of the service that end by SIGKILL, a last one that comes to rest, and the verdict. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { WAIT_LIMIT_MS } from "../run/limits.ts";
import { checkEnds } from "./check-ends.ts";
import { type Agenda, Clients } from "./client.ts";
import { commandSettings, writeProgram } from "./commands-of-trial.ts";
import { DELEGATED_TOOLS, drawJobs, type Job } from "./jobs.ts";
import { judgeTrial } from "./judge-trial.ts";
import { mcpSettings, untilShown } from "./kill-mcp/mcp-settings.ts";
import { type RemoteServers, startRemoteServers } from "./kill-mcp/remote-servers.ts";
import { describeKill, drawKillMoment, type KillMoment, type SelfKill } from "./kill-moment.ts";
import { isTerminal, Ledger } from "./ledger.ts";
import { createRandom, type Random } from "./random.ts";
import { type Receivers, startReceivers } from "./receivers.ts";
import { type LivingTrial, runLives } from "./run-lives.ts";
import {
  checkProcesses,
  type OnRestart,
  type ServiceLife,
  startedPrograms,
  startLife,
  type TrialFolder,
} from "./service-life.ts";
import { LostError, type WireTask } from "./wire.ts";

/** How one trial went. */
export interface TrialReport {
  readonly seed: string;
  readonly onRestart: OnRestart;
  /** When each life ended. */
  readonly kills: readonly string[];
  /** Empty: it passed. */
  readonly violations: readonly string[];
  /** Requests that were acknowledged. */
  readonly acknowledged: number;
  /** Frames that live subscribers saw. */
  readonly frames: number;
  readonly figures: Readonly<Record<string, number>>;
  readonly ms: number;
  /** Where its store and logs lie; removed when it passed. */
  readonly folder: string;
}

/** What trials share: a cache of compiled sources and the time a start takes, which boot kills are shares of. */
export interface TrialContext {
  readonly compileCache: string;
  readonly bootMs: number;
  /** Where the first life of the trial is to end. Default: anywhere. */
  readonly firstKill?: SelfKill;
}

interface Trial extends LivingTrial {
  readonly folder: TrialFolder & { readonly root: string; readonly effects: string };
  readonly onRestart: OnRestart;
  readonly ledger: Ledger;
  readonly agenda: Agenda;
  readonly jobs: readonly Job[];
  readonly random: Random;
  readonly receivers: Receivers;
  readonly servers: RemoteServers;
  readonly context: TrialContext;
  /** Programs that a kill left running, and that the next start ended. */
  leftRunning: number;
}

/** Clients at work at a time. */
const ACTORS = 5;
/** Rounds of answering after which a service that still waits for people is given up. */
const MOST_ROUNDS = 50;
/** Milliseconds from a lost connection until its process must be gone. */
const GONE_MS = WAIT_LIMIT_MS;

interface TrialSettings {
  readonly onRestart: OnRestart;
  readonly sandboxed: boolean;
  readonly mcpUrl: string;
}

function prepareFolder(root: string, settings: string): Trial["folder"] {
  const folder = {
    root,
    home: `${root}/home`,
    config: `${root}/config`,
    deeds: `${root}/deeds.jsonl`,
    effects: effectsIn(root),
    programs: `${root}/programs`,
    epoch: Date.now(),
  };
  mkdirSync(folder.home);
  mkdirSync(folder.config);
  writeProgram(folder.programs);
  writeFileSync(`${folder.config}/agent-config.yaml`, settings);
  return folder;
}

function effectsIn(root: string): string {
  return `${root}/mcp-effects.jsonl`;
}

function settingsOf(root: string, { onRestart, sandboxed, mcpUrl }: TrialSettings): string {
  const checkpoint = `checkpoint:\n  db_path: ${root}/agent.db\n  on_restart: ${onRestart}\n`;
  const subagents = `subagents:\n  verifier:\n    tools: [${DELEGATED_TOOLS.join(", ")}]\n`;
  // However slow the machine is, no script is ended for its time.
  const scripts = "execute_code:\n  enabled: true\n  timeout: 3600\n";
  return checkpoint + subagents + scripts + commandSettings(sandboxed) + mcpSettings(mcpUrl);
}

/**
 * What must be true of the known tasks right after a restart, before anybody does anything (A18): all were sent over
 * A2A, so that `auto` fails them as `fail` does. What the inbox, steering and background jobs started goes on.
 */
function checkRestart({ onRestart, ledger }: Trial, seen: readonly WireTask[]): void {
  if (onRestart === "resume") return;
  for (const task of seen) {
    if (!isTerminal(task)) ledger.blame(`A18: task ${task.id} is ${task.status.state} after a restart`);
  }
}

async function serveUntilKilled(trial: Trial, life: ServiceLife, url: string, random: Random): Promise<void> {
  const clients = new Clients(url, trial.receivers, trial, random);
  try {
    checkRestart(trial, await clients.lookAround());
    await untilShown(url);
    await clients.work(ACTORS);
  } catch (error) {
    if (!(error instanceof LostError)) throw error;
    // The connection is lost a moment before the process is seen to be gone.
    const gone = await Promise.race([life.gone, sleep(GONE_MS, undefined, { ref: false })]);
    if (gone === undefined) trial.ledger.blame(`a process that lives on broke a connection: ${error.message}`);
  }
}

/** Starts a life. Once it answers, nothing runs any more that an earlier one had started (PR2). */
function begin(
  trial: Trial,
  selfKill?: SelfKill,
): { readonly life: ServiceLife; readonly ready: ServiceLife["ready"] } {
  const { folder, context, ledger } = trial;
  const file = `${folder.root}/agent.db`;
  const left = startedPrograms(file);
  trial.leftRunning += left.length;
  const life = startLife(folder, selfKill, context.compileCache);
  trial.life = life;
  trial.servers.beginLife();
  const ready = life.ready.then((url) => {
    const alive = url === undefined ? [] : startedPrograms(file).filter((pid) => left.includes(pid));
    for (const pid of alive) ledger.blame(`PR2: process ${pid} outlives the next start of its service`);
    return url;
  });
  return { life, ready };
}

async function killedLife(trial: Trial, moment: KillMoment, random: Random): Promise<void> {
  const { context } = trial;
  const { life, ready } = begin(trial, moment.kind === "self" ? moment.self : undefined);
  if (moment.kind === "booting") {
    await Promise.race([sleep(moment.share * context.bootMs), life.gone]);
    life.kill();
    await keepLog(trial, life);
    return;
  }
  if (moment.kind === "mcp") {
    // The server goes on once nobody can read its answer any more.
    const ring = (): Promise<unknown> => {
      life.kill();
      return life.gone;
    };
    trial.servers.alarm({ ...moment, ring });
  }
  if (moment.kind === "post") trial.receivers.alarm({ ...moment, ring: () => life.kill() });
  const url = await ready;
  if (url !== undefined) {
    const work = serveUntilKilled(trial, life, url, random);
    const until = moment.kind === "serving" ? sleep(moment.ms) : new Promise(() => {});
    await Promise.race([until, work]);
    life.kill();
    await work;
  }
  trial.receivers.alarm(undefined);
  trial.servers.alarm(undefined);
  await keepLog(trial, life);
}

/** `stopped`: it was asked to end. */
async function keepLog({ folder, ledger }: Trial, life: ServiceLife, stopped = false): Promise<void> {
  const { log, killed } = await life.gone;
  if (killed === stopped) ledger.blame(`the service ${killed ? "was killed" : "ended by itself"}: ${log.slice(-2000)}`);
  writeFileSync(`${folder.root}/service.log`, log, { flag: "a" });
  for (const line of log.split("\n")) {
    if (line !== "" && /\b(error|stack)\b/i.test(line)) ledger.blame(`the service complained: ${line.slice(0, 2000)}`);
  }
}

/** The last life: what was left undone is done, every prompt is answered, and everything comes to its end. */
async function lastLife(trial: Trial, random: Random): Promise<void> {
  const { life, ready } = begin(trial);
  let isAtRest = false;
  try {
    const url = await ready;
    if (url === undefined) throw new Error("the service did not start again");
    const clients = new Clients(url, trial.receivers, trial, random);
    checkRestart(trial, await clients.lookAround());
    await untilShown(url);
    await clients.work(ACTORS);
    for (let open = await life.idle(), round = 0; open.length > 0 && round < MOST_ROUNDS; open = await life.idle()) {
      round++;
      await Promise.all(open.map((id, i) => clients.answerAll(id, random.fork(`answers${round}.${i}`))));
    }
    await checkEnds(url, trial, await clients.lookAround());
    await life.settled();
    isAtRest = true;
  } finally {
    // A stop leaves no program either, not one that ignores its end.
    if (isAtRest) life.stop();
    else life.kill();
    await keepLog(trial, life, isAtRest);
  }
}

/** Runs the trial of a seed. */
export async function runTrial(seed: string, context: TrialContext): Promise<TrialReport> {
  const startedAt = performance.now();
  const random = createRandom(seed);
  const onRestart = random.chance(0.5) ? "resume" : random.chance(0.6) ? "auto" : "fail";
  const sandboxed = random.fork("sandbox").chance(0.4);
  const root = mkdtempSync(path.join(tmpdir(), "proof-kill-"));
  const servers = await startRemoteServers(effectsIn(root));
  const folder = prepareFolder(root, settingsOf(root, { onRestart, sandboxed, mcpUrl: servers.url }));
  const jobs = drawJobs(random.fork("jobs"), random.int(14, 26), sandboxed);
  const ledger = new Ledger();
  const agenda: Agenda = { jobs: [...jobs], repeats: [], pickUps: [] };
  const receivers = await startReceivers();
  const trial: Trial = {
    ...{ folder, onRestart, ledger, agenda, jobs, random, receivers, servers, context },
    ...{ life: undefined, leftRunning: 0 },
  };
  const file = `${folder.root}/agent.db`;
  const moments = Array.from({ length: random.int(1, 3) }, (_, i) => drawKillMoment(random.fork(`kill${i}`)));
  await runLives(trial, async () => {
    for (const [i, moment] of moments.entries()) await killedLife(trial, moment, random.fork(`life${i}`));
    await lastLife(trial, random.fork("last"));
  });
  await Promise.all([receivers.close(), servers.close()]);
  const blame = (what: string): void => ledger.blame(what);
  await checkProcesses(file, { blame }).catch((error: unknown) => blame(String(error)));
  const figures = { ...judgeTrial({ ...trial, kills: moments.length }), leftRunning: trial.leftRunning };
  if (ledger.violations.length === 0) rmSync(folder.root, { recursive: true, force: true });
  return {
    seed,
    onRestart,
    kills: moments.map(describeKill),
    violations: ledger.violations,
    acknowledged: ledger.tasks.size,
    frames: ledger.streams.reduce((sum, { frames }) => sum + frames.length, 0),
    figures,
    ms: performance.now() - startedAt,
    folder: folder.root,
  };
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentCore } from "../../../packages/agent-core/src/create-agent-core.ts";
import { defineFeature } from "../../../packages/agent-core/src/feature/index.ts";
import { schedule } from "../../../packages/agent-core/src/schedule/index.ts";
import { scriptedModel } from "../../../packages/agent-core/src/testing/index.ts";
import { scanMinutes, type WallOf, wallByIntl } from "../cron/minute-scan.ts";
import { type Random, randomPattern } from "../cron/random-pattern.ts";
import { JumpingClock, turn } from "./jumping-clock.ts";
import { checkLedger, type LedgerCounts, type LedgerRow } from "./ledger-check.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** How far the clock jumps back at most. */
const MOST_BACK_MS = 2 * HOUR_MS;
const ZONES = [
  ...["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Chatham", "Antarctica/Troll"],
  ...["America/Santiago", "Asia/Kolkata", "Asia/Kathmandu", "Africa/Casablanca", "Africa/Cairo", "America/St_Johns"],
  ...["Asia/Gaza", "Europe/London", "America/Havana", "America/Asuncion", "Pacific/Auckland", "Asia/Tehran"],
  ...["Europe/Dublin", "Pacific/Apia"],
];
/** Slots a job may have in a day: a year of denser ones is hours of proof. */
const MOST_A_DAY = 24;

export interface ScheduleProof {
  readonly random: Random;
  /** Epoch milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly jobs: number;
  readonly restarts: number;
  readonly onProgress?: (text: string) => void;
}

export interface ScheduleProofResult extends LedgerCounts {
  readonly problems: readonly string[];
  restarts: number;
  jumps: number;
  attempts: number;
}

/** What the ledger was seen to hold, and when it was looked at last. */
interface Collected {
  readonly rows: Map<string, LedgerRow>;
  at: number;
}

interface ProofJob {
  readonly id: string;
  readonly schedule: string;
  readonly timezone: string;
  readonly slots: readonly number[];
}

/** A span of virtual time with jobs, restarts at random moments and jumps of the clock both ways. */
export async function proveSchedule(proof: ScheduleProof): Promise<ScheduleProofResult> {
  const folder = mkdtempSync(join(tmpdir(), "proof-schedule-"));
  const url = `file:${join(folder, "agent.db")}`;
  try {
    return await prove(proof, url);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function start(url: string, clock: JumpingClock, random: Random) {
  const model = scriptedModel(() => {
    if (random() < 0.03) throw new Error("the model is down");
    return "done";
  });
  const verification = defineFeature({
    name: "verification",
    open: () => ({
      prepare: async () => ({}) as never,
      check: async () => ({ met: random() < 0.9, reason: "", evidence: "" }) as never,
    }),
  });
  return createAgentCore({
    ...{ store: url, clock, model: { model, name: "scripted" }, onFatal: () => {} },
    retention: { pruneIntervalHours: 1_000_000 },
    features: [verification, schedule({ overdueMs: 600_000, elsewhere: () => undefined })],
  });
}

type Core = Awaited<ReturnType<typeof start>>;

/** Runs what is due until all of it has ended. */
async function rest(core: Core, clock: JumpingClock): Promise<void> {
  const { opened } = core.features.schedule;
  for (let quiet = 0; quiet < 3; ) {
    const ran = await clock.runDue();
    await opened.idle();
    const open = await core.journal.openTaskIds();
    await Promise.all(open.map(async (id) => (await core.tasks.get(id))?.settled()));
    await turn();
    quiet = ran || open.length > 0 ? 0 : quiet + 1;
  }
}

async function prove(proof: ScheduleProof, url: string): Promise<ScheduleProofResult> {
  const { random, from, to, restarts } = proof;
  const clock = new JumpingClock(from);
  const known: Collected = { rows: new Map(), at: from };
  const jobs = jobsOf(proof);
  const result = {
    problems: [] as string[],
    slots: 0,
    ran: 0,
    missed: 0,
    skipped: 0,
    restarts: 0,
    jumps: 0,
    attempts: 0,
  };
  let core = await start(url, clock, random);
  for (const { id, schedule: text, timezone } of jobs) {
    const policies = { overlap: pick(random, ["skip", "queue", "allow"] as const), jitterS: random() < 0.3 ? 900 : 0 };
    const onlyIf = random() < 0.2 ? { check: "core:url" } : undefined;
    const asked = { id, prompt: `do ${id}`, schedule: text, timezone, createdBy: "operator" };
    await core.features.schedule.schedules.create({
      ...asked,
      ...policies,
      onlyIf,
      catchUpS: pick(random, [0, 3_600, 86_400]),
    });
  }
  // What is left of the span is shared among the restarts that are left: a process is away for hours after each.
  const restartAfter = (): number => {
    const left = restarts - result.restarts;
    return left === 0 ? Number.POSITIVE_INFINITY : clock.now() + ((to - clock.now()) / (left + 1)) * (0.5 + random());
  };
  let nextRestart = restartAfter();
  for (;;) {
    const due = core.features.schedule.schedules.nextDueAt;
    const next = Math.max(clock.now() + 1_000, Math.min(due ?? to, to));
    if (clock.now() >= to) break;
    if (next >= nextRestart) {
      clock.set(Math.max(clock.now(), nextRestart));
      await collect(core, known, clock.now());
      core = await restart(core, { url, clock, random, to });
      result.restarts++;
      nextRestart = restartAfter();
      if (result.restarts % 50 === 0)
        proof.onProgress?.(`${result.restarts} restarts, ${new Date(clock.now()).toISOString()}`);
      continue;
    }
    await collectHourly(core, { known, clock, to: next });
    clock.set(next);
    await rest(core, clock);
    if (random() < 0.002) {
      const jump = (random() < 0.5 ? -MOST_BACK_MS : 30 * HOUR_MS) * random();
      clock.set(Math.min(clock.now() + jump, Math.max(clock.now(), to - MINUTE_MS)));
      result.jumps++;
    }
  }
  await settleAll(core, { clock, to, known });
  await collect(core, known, clock.now());
  await core.stop({ graceMs: 1_000 });
  const rows = [...known.rows.values()];
  result.attempts = rows.length;
  for (const job of jobs) {
    const own = rows.filter((row) => row.job === job.id);
    result.problems.push(...checkLedger(own, job.slots, result));
  }
  return result;
}

/** Ends the process somewhere in what it does, and starts another after a while. */
async function restart(
  core: Core,
  { url, clock, random, to }: { url: string; clock: JumpingClock; random: Random; to: number },
): Promise<Core> {
  const busy = clock.runDue();
  for (let turns = Math.floor(random() * 12); turns > 0; turns--) await turn();
  await core.db.close();
  core.service.close();
  core.service.runner.abandon();
  await busy;
  clock.clear();
  const away = random();
  const back = clock.now() + (away < 0.5 ? 30_000 : away < 0.9 ? HOUR_MS : 40 * HOUR_MS) * random();
  clock.set(Math.min(back, Math.max(clock.now(), to - MINUTE_MS)));
  return start(url, clock, random);
}

/** Lets retries and what waits come to their ends without passing the end of the span. */
async function settleAll(
  core: Core,
  { clock, to, known }: { readonly clock: JumpingClock; readonly to: number; readonly known: Collected },
): Promise<void> {
  const { schedules } = core.features.schedule;
  for (const { job } of schedules.list()) await schedules.update(job.id, { enabled: false });
  for (let at = Math.max(clock.now(), to); at < to + 3 * HOUR_MS; at += 30_000) {
    await collectHourly(core, { known, clock, to: at });
    clock.set(at);
    await rest(core, clock);
  }
}

/** The ledger keeps 200 rows of a job and is swept every hour: it is read before each hour of the clock. */
async function collectHourly(
  core: Core,
  { known, clock, to }: { readonly known: Collected; readonly clock: JumpingClock; readonly to: number },
): Promise<void> {
  if (Math.floor(to / HOUR_MS) !== Math.floor(clock.now() / HOUR_MS)) await collect(core, known, clock.now());
}

/** Adds the rows that were written since; a row that has ended since takes the place of the one before. */
async function collect({ db }: Core, known: Collected, now: number): Promise<void> {
  const columns = "job, slot, attempt, state, upto, missed";
  const sql = `SELECT ${columns} FROM schedule_run WHERE ended_at IS NULL OR ended_at >= ?`;
  const rows = await db.read({ sql, args: [known.at - MOST_BACK_MS] });
  known.at = now;
  for (const [job, slot, attempt, state, upto, missed] of rows)
    known.rows.set(`${job} ${slot} ${attempt}`, {
      ...{ job: String(job), slot: Number(slot) / MINUTE_MS, attempt: Number(attempt), state: String(state) },
      upto: upto === null ? undefined : Number(upto) / MINUTE_MS,
      missed: missed === null ? undefined : Number(missed),
    });
}

function jobsOf({ random, jobs: count, from, to }: ScheduleProof): readonly ProofJob[] {
  const walls = new Map<string, WallOf>();
  const jobs: ProofJob[] = [];
  while (jobs.length < count) {
    const timezone = ZONES[jobs.length % ZONES.length]!;
    const text = jobs.length % 3 === 0 ? "30 2 * * *" : randomPattern(random);
    const wall = walls.get(timezone) ?? remembered(wallByIntl(timezone));
    walls.set(timezone, wall);
    const slots = scanMinutes(text, wall, from / MINUTE_MS + 1, to / MINUTE_MS + 1);
    const days = (to - from) / (24 * HOUR_MS);
    if (slots.length === 0 || slots.length > MOST_A_DAY * days) continue;
    jobs.push({ id: `job-${jobs.length}`, schedule: text, timezone, slots });
  }
  return jobs;
}

function remembered(wallOf: WallOf): WallOf {
  const known = new Map<number, number>();
  return (minute) => {
    const wall = known.get(minute) ?? wallOf(minute);
    known.set(minute, wall);
    return wall;
  };
}

function pick<const T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)]!;
}

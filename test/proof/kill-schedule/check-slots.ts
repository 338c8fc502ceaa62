/** The ledger of slots after the last process ended: each once, each with what began for it, and nothing twice (CR1, TR1, TR3). */
import { DatabaseSync } from "node:sqlite";
import { scanMinutes } from "../cron/minute-scan.ts";
import type { Ledger } from "../ledger.ts";
import { readDeeds } from "../proof-tools.ts";
import type { KnownJob } from "./job-clients.ts";
import type { RunThere } from "./other-service.ts";

const MINUTE_MS = 60_000;
const DONE_ONCE = ["append_once", "guarded_append"];

interface RunRow {
  readonly job: string;
  readonly slot: number;
  readonly attempt: number;
  readonly state: string;
  readonly reason: string | null;
  readonly task: string | null;
  readonly started_at: number | null;
  readonly ended_at: number | null;
  readonly upto: number | null;
  readonly missed: number | null;
}

interface JobRow {
  readonly id: string;
  readonly kind: string;
  readonly schedule: string;
  readonly enabled: number;
  readonly off_since: number | null;
  readonly created_at: number;
}

interface TaskRow {
  readonly id: string;
  readonly state: string;
  readonly accepted: string;
  readonly last: string;
}

/** Sums over the slots, for the report. */
export interface SlotFigures {
  readonly scheduledJobs: number;
  readonly slots: number;
  readonly slotsMissed: number;
  readonly slotsSkipped: number;
  readonly attemptsAgain: number;
  readonly hadEffects: number;
  readonly slotsElsewhere: number;
}

type RunsThere = ReadonlyMap<string, RunThere>;

interface Store {
  readonly runs: readonly RunRow[];
  readonly jobs: readonly JobRow[];
  readonly tasks: readonly TaskRow[];
}

function readStore(file: string): Store {
  const db = new DatabaseSync(file);
  try {
    const rows = <T>(sql: string): T[] => db.prepare(sql).all() as T[];
    return {
      runs: rows<RunRow>("SELECT * FROM schedule_run ORDER BY job, slot, attempt"),
      jobs: rows<JobRow>("SELECT * FROM schedule_job"),
      tasks: rows<TaskRow>(
        `SELECT id, state, first.body AS accepted, last.body AS last FROM task
         JOIN event AS first ON first.task = id AND first.seq = 1
         JOIN event AS last ON last.task = id AND last.seq = task.seq`,
      ),
    };
  } finally {
    db.close();
  }
}

const keyOf = ({ job, slot, attempt }: RunRow): string => `schedule:${job}:${new Date(slot).toISOString()}:${attempt}`;
const nameOf = ({ job, slot, attempt }: RunRow): string =>
  `${job} ${new Date(slot).toISOString().slice(5)} attempt ${attempt}`;

/** TR1: what began for an attempt is one task, here or elsewhere, which its row names; none began without a row. */
function checkTasks({ runs, tasks }: Store, there: RunsThere, ledger: Ledger): void {
  const begun = Map.groupBy(
    tasks.flatMap((task) => {
      const key = /"(schedule:j\d+:[^"]*)"/.exec(task.accepted)?.[1];
      return key === undefined ? [] : [{ key, task }];
    }),
    ({ key }) => key,
  );
  const named = new Map(runs.map((run) => [keyOf(run), run]));
  for (const [key, of] of begun) {
    if (of.length > 1) ledger.blame(`TR1: ${key} was started ${of.length} times`);
    const run = named.get(key);
    if (run === undefined) ledger.blame(`TR1: ${key} was started, and is not in the ledger`);
    else if (run.task !== of[0]!.task.id) ledger.blame(`TR1: ${nameOf(run)} names ${run.task}, not what was started`);
  }
  for (const run of runs) {
    const task = begun.get(keyOf(run))?.[0]?.task;
    const elsewhere = there.get(keyOf(run));
    if (elsewhere !== undefined) {
      checkRunThere(run, elsewhere, ledger);
      if (task !== undefined) ledger.blame(`TR1: ${nameOf(run)} was begun here, and elsewhere`);
      continue;
    }
    const isUnconfirmed = run.state === "unconfirmed" && isSentElsewhere(run);
    if (run.started_at !== null && run.task === null && !isUnconfirmed)
      ledger.blame(`TR1: ${nameOf(run)} began (${run.state}, ${run.reason}), and has no task`);
    if (run.task !== null && task === undefined)
      ledger.blame(`TR1: ${nameOf(run)} names a task that was never started`);
    if (task === undefined || run.ended_at === null) continue;
    const interrupted = task.state === "failed" && task.last.includes('"code":"interrupted"');
    const state = interrupted ? "interrupted" : task.state;
    if (run.state !== state) ledger.blame(`${nameOf(run)} is ${run.state}, and its turn ${state}`);
  }
}

/** What another service was asked for is in the ledger. */
function checkKeys({ runs }: Store, there: RunsThere, ledger: Ledger): void {
  const named = new Set(runs.map(keyOf));
  for (const key of there.keys()) if (!named.has(key)) ledger.blame(`TR1: ${key} was sent, and is not in the ledger`);
}

/** What another service ran is in the ledger as that says. */
function checkRunThere(run: RunRow, { state }: RunThere, ledger: Ledger): void {
  if (run.started_at === null) ledger.blame(`TR1: ${nameOf(run)} was sent, and has not begun`);
  const said = run.task === null ? "unconfirmed" : state;
  if (run.state !== said)
    ledger.blame(`G2: ${nameOf(run)} is ${run.state} (${run.reason}), and was ${state} elsewhere`);
}

/** It has no answer: it was sent again too often, its job was deleted, or slots are run here by now. */
function isSentElsewhere({ reason }: RunRow): boolean {
  return reason !== null && /answered 503|fetch failed|its job was deleted|not sent elsewhere any more/.test(reason);
}

/** TR3: attempts of a slot follow each other, one at a time, and only where none before had effects. */
function checkAttempts(
  { runs }: Store,
  { retriesOf, there }: { readonly retriesOf: (job: string) => number; readonly there: RunsThere },
  ledger: Ledger,
): void {
  for (const of of Map.groupBy(runs, ({ job, slot }) => `${job} ${slot}`).values()) {
    for (const [i, run] of of.entries()) {
      const blame = (what: string): void => ledger.blame(`${nameOf(run)} (${run.state}, ${run.reason}) ${what}`);
      if (run.attempt !== i + 1) blame(`is number ${i + 1}`);
      if (run.ended_at === null) blame("is still open");
      if (i === of.length - 1) continue;
      if (run.state !== "failed" && run.state !== "interrupted") blame("was tried again");
      if (run.reason === "had effects") blame("was tried again");
      if (there.has(keyOf(run))) blame("was begun elsewhere, where it may have had effects, and was tried again");
      if (run.state === "failed" && run.attempt > retriesOf(run.job)) blame("was tried more often than it may be");
      if (run.attempt >= 3 && run.state === "interrupted") blame("was begun again after three interruptions");
    }
  }
}

/** CR1: each slot of a job whose schedule stayed is in the ledger, once. */
function checkSlots({ runs, jobs }: Store, known: readonly KnownJob[], ledger: Ledger): number {
  let slots = 0;
  for (const { job } of known) {
    const row = jobs.find(({ id }) => id === job.id);
    const own = runs.filter((run) => run.job === job.id && run.attempt === 1);
    const covers = (slot: number): number =>
      own.filter((run) => run.slot === slot || (run.state === "missed" && run.slot <= slot && slot <= (run.upto ?? 0)))
        .length;
    for (const run of own.filter(({ state }) => state === "missed")) {
      const times = own.filter(({ slot }) => slot === run.slot).length;
      if (times > 1) ledger.blame(`CR1: ${nameOf(run)} is missed and something else`);
    }
    if (row === undefined || job.drifts) continue;
    const until = row.off_since ?? row.created_at;
    const expected =
      row.kind === "once"
        ? [Date.parse(row.schedule)].filter((at) => row.off_since === null || at <= until)
        : scanMinutes(
            row.schedule,
            (minute) => minute,
            Math.floor(row.created_at / MINUTE_MS) + 1,
            Math.floor(until / MINUTE_MS) + 1,
          ).map((minute) => minute * MINUTE_MS);
    slots += expected.length;
    for (const slot of expected) {
      const times = covers(slot);
      if (times !== 1) ledger.blame(`CR1: ${job.id} ${new Date(slot).toISOString()} is in the ledger ${times} times`);
    }
  }
  return slots;
}

/** No slot does twice what is to be done once (EN9, G5). */
function checkEffects({ runs }: Store, deeds: string, ledger: Ledger): void {
  const slotOf = new Map(runs.map((run) => [run.task, `${run.job} ${new Date(run.slot).toISOString()}`]));
  const written = readDeeds(deeds).filter(({ what, tool }) => what === "wrote" && DONE_ONCE.includes(tool));
  for (const [slot, of] of Map.groupBy(written, ({ taskId }) => slotOf.get(taskId))) {
    const calls = new Set(of.map(({ callId }) => callId));
    if (slot !== undefined && calls.size > 1) ledger.blame(`G5: slot ${slot} did ${of[0]!.token} ${calls.size} times`);
  }
}

/** What was acknowledged is as it was said (EN9, A15). */
function checkKnown({ runs, jobs }: Store, known: readonly KnownJob[], ledger: Ledger): void {
  for (const { job, made, removed, runs: asked } of known) {
    const isThere = jobs.some(({ id }) => id === job.id);
    if (made === "yes" && removed === "no" && !isThere) ledger.blame(`EN9: job ${job.id} is not in the store`);
    if (removed === "yes" && isThere) ledger.blame(`EN9: job ${job.id} was removed, and is in the store`);
    const said = [...asked.values()].filter((slot) => slot !== undefined);
    for (const slot of said) {
      const [at, attempt] = slot.split(" ");
      const found = runs.some(
        (run) => run.job === job.id && run.slot === Date.parse(at!) && run.attempt === Number(attempt),
      );
      if (!found) ledger.blame(`EN9: the run ${slot} of job ${job.id} was acknowledged, and is not in the ledger`);
    }
    const asks = runs.filter((run) => run.job === job.id && run.attempt === 1 && run.slot % MINUTE_MS !== 0);
    const most = asked.size + (job.once === undefined ? 0 : 1);
    if (asks.length > most) ledger.blame(`A15: job ${job.id} was run ${asks.length} times, and ${most} were asked for`);
  }
}

export function checkSlotLedger(
  file: string,
  {
    known,
    deeds,
    ledger,
    there,
  }: {
    readonly known: readonly KnownJob[];
    readonly deeds: string;
    readonly ledger: Ledger;
    readonly there: RunsThere;
  },
): SlotFigures {
  const store = readStore(file);
  const retries = new Map(known.map(({ job }) => [job.id, Number(job.body.retries)]));
  checkTasks(store, there, ledger);
  checkKeys(store, there, ledger);
  checkAttempts(store, { retriesOf: (job) => retries.get(job) ?? 0, there }, ledger);
  checkEffects(store, deeds, ledger);
  checkKnown(store, known, ledger);
  const slots = checkSlots(store, known, ledger);
  const count = (is: (run: RunRow) => boolean): number => store.runs.filter(is).length;
  return {
    scheduledJobs: known.length,
    slots,
    slotsMissed: store.runs.reduce((sum, { missed }) => sum + (missed ?? 0), 0),
    slotsSkipped: count(({ state }) => state === "skipped"),
    attemptsAgain: count(({ attempt }) => attempt > 1),
    slotsElsewhere: there.size,
    hadEffects: count(({ reason }) => reason === "had effects"),
  };
}

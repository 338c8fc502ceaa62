/**
 * Follows the runs of slots from their start to their end: attempts that failed are made again, those that a restart ended too,
 * and what waits begins when it may (G5, G7).
 *
 * Invariants
 *  TR1  The row of an attempt and the turn it starts are one command: a kill leaves both or neither.
 *  TR3  What a restart interrupted is started again at most twice in a row, and the new turn's message says so.
 */
import type { Clock } from "../clock/index.ts";
import type { Database, Statement } from "../database/index.ts";
import { isTerminalState, type TaskState } from "../event/index.ts";
import type { Journal } from "../journal/index.ts";
import type { TaskHandle, TaskService } from "../task/index.ts";
import type { DurableTimers } from "../timer/index.ts";
import type { Toolbox } from "../tool/index.ts";
import { TriggerDriver } from "../trigger/index.ts";
import type { TaskOptions } from "../turn/index.ts";
import { againAt, outcomeOf, RunEnding, type RunOutcome } from "./attempt-end.ts";
import { type Attempt, attemptBefore, attemptText, notesOf } from "./attempt-text.ts";
import { isLater, reasonOf } from "./begin-error.ts";
import { dueRuns, type OpenRun, OpenRuns, openRunOf, type RunStep } from "./due-runs.ts";
import { dueAt, type HeldJob, type HeldJobs } from "./held-jobs.ts";
import type { JobStore } from "./job-store.ts";
import type { Ledger, NewRun } from "./ledger.ts";
import { missedRow, runOf } from "./ledger-rows.ts";
import { LATE_MS, missedUntil } from "./plan-slots.ts";
import type { FiringEvents, ScheduleEvents } from "./schedule-events.ts";
import {
  jobTrigger,
  MOST_FAILURES,
  type RunNotes,
  type ScheduledJob,
  type SlotRun,
  type SlotState,
  timerId,
} from "./scheduled-job.ts";

export interface SlotRunsOptions {
  readonly db: Database;
  readonly journal: Journal;
  readonly service: Pick<TaskService, "start" | "get">;
  readonly clock: Clock;
  readonly log: { warn(message: string): void };
  readonly timers: Pick<DurableTimers, "cancelWithin">;
  readonly toolbox: () => Toolbox;
  readonly redact: (text: string) => string;
  readonly store: JobStore;
  readonly ledger: Ledger;
  readonly jobs: HeldJobs;
  readonly events: ScheduleEvents & Pick<FiringEvents, "skipped">;
  /** Milliseconds until a run is said to be overdue. */
  readonly overdueMs: () => number;
  /** Whether schedules are switched on. */
  readonly isOn: () => boolean;
  /** What runs slots elsewhere; undefined: they are run here. */
  readonly elsewhere: () => object | undefined;
}

/** A run that has begun; with notes where it is sent elsewhere. */
interface Started {
  readonly task: TaskHandle | undefined;
  readonly notes: RunNotes | undefined;
  readonly ending: RunEnding | undefined;
}

export class SlotRuns {
  readonly trigger: TriggerDriver<OpenRun, RunStep>;
  readonly #options: SlotRunsOptions;
  readonly #open: OpenRuns;
  /** Sends runs elsewhere; set by `sendBy`. */
  #send: (held: HeldJob, run: OpenRun, notes: RunNotes) => void = () => {};

  constructor(options: SlotRunsOptions) {
    this.#options = options;
    const { journal, service, clock, log } = options;
    this.trigger = new TriggerDriver({
      ...{ name: "schedules", journal, service, clock, log },
      tasksOf: ({ task }) => (task === undefined ? [] : [task]),
      due: (runs, look, now) => dueRuns(runs, look, { now, overdueMs: options.overdueMs() }),
      take: (step) => options.jobs.lock(step.run.job, () => this.#take(step)),
    });
    this.#open = new OpenRuns(this.trigger);
  }

  sendBy(send: (held: HeldJob, run: OpenRun, notes: RunNotes) => void): void {
    this.#send = send;
  }

  /** Runs of a job that have not ended. */
  openOf(job: string): readonly OpenRun[] {
    return this.#open.of(job);
  }

  /** Takes over a row of a former process, or one that was just committed. */
  hold(row: SlotRun, beside: boolean): OpenRun {
    return this.#open.add(openRunOf(row, beside));
  }

  /** Nothing is left to be done about these. */
  drop(runs: readonly OpenRun[]): void {
    this.#open.drop(runs);
  }

  /**
   * Begins the first attempt of a slot: `alongside` and the row of the ledger in the commit that accepts its turn (TR1).
   * @throws TaskError, DatabaseError
   */
  async begin(held: HeldJob, attempt: Attempt, alongside: readonly Statement[]): Promise<SlotRun> {
    const at = this.#options.clock.now();
    const { job } = held;
    const key = { job: job.id, slot: attempt.slot, attempt: attempt.attempt };
    const row = (task: string | undefined, notes?: RunNotes): NewRun => ({
      ...{ ...key, state: "running", dueAt: at, startedAt: at, task, notes },
    });
    const started = await this.#start(held, attempt, (task, notes) => [
      this.#options.ledger.add(row(task, notes)),
      ...alongside,
    ]);
    const run = runOf(row(started.task?.id, started.notes));
    const open = this.hold(run, job.overlap === "allow");
    this.#follow(held, open, started);
    held.last = run;
    this.#options.events.fired(held, run);
    return run;
  }

  /** Ends a run that another service ran. */
  endRemote(open: OpenRun, outcome: RunOutcome): Promise<void> {
    return this.#options.jobs.lock(open.job, async () => {
      await this.#end(open, outcome);
      this.trigger.wake();
    });
  }

  /** Sends a run that a former process sent, and of which it got no end, under the same key. @throws DatabaseError */
  async sendAgain(run: OpenRun): Promise<void> {
    const held = this.#options.jobs.get(run.job);
    if (held === undefined) return this.#end(run, { state: "unconfirmed", reason: "its job was deleted" });
    const before = await attemptBefore(run, this.#options);
    const attempt = { slot: run.slot, attempt: run.attempt, before };
    const { notes } = run;
    this.#send(held, run, notes?.text === undefined ? notesOf(await attemptText(held, attempt, this.#options)) : notes);
  }

  #take(step: RunStep): Promise<void> {
    const { run } = step;
    if (!this.trigger.rows.includes(run)) return Promise.resolve();
    if (step.kind === "overdue") {
      run.overdue = true;
      this.#options.events.overdue(run);
      return Promise.resolve();
    }
    return step.kind === "start" ? this.#startWaiting(run) : this.#endOf(run, step.state);
  }

  async #startWaiting(run: OpenRun): Promise<void> {
    const { jobs, ledger, clock } = this.#options;
    const held = jobs.get(run.job);
    if (held === undefined) return this.#end(run, { state: "canceled", reason: "deleted" });
    // What waits for its turn, or is to be tried again, fires no more than a slot does (G10).
    if (!this.#options.isOn()) return this.#end(run, { state: "skipped", reason: "off" });
    const at = clock.now();
    const before = await attemptBefore(run, this.#options);
    const isLate = run.attempt === 1 && at - dueAt(held, run.slot) > LATE_MS;
    const remarks = { late: isLate ? at - run.slot : undefined, unchecked: run.notes?.unchecked };
    const attempt = { slot: run.slot, attempt: run.attempt, before, ...remarks };
    let started: Started;
    try {
      started = await this.#start(held, attempt, (task, notes) => [ledger.begin(run, task, at, notes)]);
    } catch (error) {
      if (isLater(error)) throw error;
      return this.#end(run, { state: "failed", reason: reasonOf(error) });
    }
    run.startedAt = at;
    let open = run;
    if (started.task === undefined) {
      open = { ...run, remote: true, notes: started.notes };
      this.drop([run]);
      this.#open.add(open);
    }
    this.#follow(held, open, started);
    const row: SlotRun = { ...runOf({ ...run, state: "running" }) };
    held.last = row;
    this.#options.events.fired(held, row);
  }

  /** Follows its turn, or sends it to where it is run. */
  #follow(held: HeldJob, run: OpenRun, { task, notes, ending }: Started): void {
    if (task === undefined) {
      this.#send(held, run, notes ?? {});
      return;
    }
    run.task = task.id;
    run.ending = ending;
    this.trigger.watch(task.view);
    this.trigger.wake();
  }

  /** Begins an attempt; what begins with it is committed. */
  async #start(
    held: HeldJob,
    attempt: Attempt,
    alongside: (task: string | undefined, notes?: RunNotes) => readonly Statement[],
  ): Promise<Started> {
    const { db, service, elsewhere } = this.#options;
    const { job } = held;
    const said = await attemptText(held, attempt, this.#options);
    const { text, tainted, name, key } = said;
    if (elsewhere() !== undefined) {
      const notes = notesOf(said);
      await db.commit({ label: "schedule.send", statements: alongside(undefined, notes) });
      return { task: undefined, notes, ending: undefined };
    }
    const options: TaskOptions = {
      unattended: true,
      ...(job.fresh ? { fresh: true } : {}),
      ...(tainted ? { wordsFrom: "schedule" } : {}),
    };
    const ending = new RunEnding(this.#options, { job: job.id, slot: attempt.slot, attempt: attempt.attempt });
    const task = await service.start({
      ...{ class: job.class, context: job.context, origin: "schedule", options },
      // Titles and searches show what was asked for, not the words around it.
      input: { messageId: name, parts: [{ kind: "text", text }], metadata: { asked: job.prompt } },
      key: { key, digest: key },
      // The attempt's row of the ledger is written with it, and is not there before.
      isNewKey: true,
      provenance: { trigger: jobTrigger(job.id) },
      alongside: ({ id }) => alongside(id),
      ending,
    });
    return { task, notes: undefined, ending };
  }

  async #endOf(run: OpenRun, state: TaskState | undefined): Promise<void> {
    // Of a turn that was completed nothing else is asked: it has left memory, and would be read from the store.
    if (state === "completed") return this.#end(run, { state, reason: undefined }, run.ending?.endedAt);
    const view = run.task === undefined ? undefined : (await this.#options.service.get(run.task))?.view;
    if (view !== undefined && !isTerminalState(view.state)) return this.trigger.watch(view);
    await this.#end(run, outcomeOf(view, this.#options.redact));
  }

  /** `stored`: when it ended, where that is durable already. */
  async #end(run: OpenRun, outcome: RunOutcome, stored?: number): Promise<void> {
    const { db, ledger, jobs, clock, events, toolbox } = this.#options;
    const held = jobs.get(run.job);
    const at = stored ?? clock.now();
    const again =
      held === undefined || outcome.mayHaveActed === true
        ? undefined
        : await againAt(held, { ...run, state: outcome.state }, { now: at, db, toolbox });
    const reason = again === "had effects" ? again : outcome.reason;
    const next = typeof again === "number" ? again : undefined;
    const attempt: NewRun | undefined =
      next === undefined
        ? undefined
        : { job: run.job, slot: run.slot, attempt: run.attempt + 1, state: "running", dueAt: next };
    const statements = [
      ...(stored === undefined ? [ledger.end(run, { state: outcome.state, reason, task: outcome.task, at })] : []),
      ...(attempt === undefined ? [] : [ledger.add(attempt)]),
    ];
    if (held === undefined || attempt !== undefined) await this.#commit(statements);
    else await this.#countEnd(held, outcome.state, { at, statements });
    this.drop([run]);
    if (attempt !== undefined) this.hold(runOf(attempt), run.beside);
    const task = outcome.task ?? run.task;
    const ended: SlotRun = { ...runOf({ ...run, state: outcome.state, reason, task }), endedAt: at };
    if (held?.last?.slot === run.slot && held.last.attempt === run.attempt) held.last = ended;
    if (ended.state === "skipped") events.skipped(ended);
    else events.finished(ended);
  }

  async #commit(statements: readonly Statement[]): Promise<void> {
    if (statements.length > 0) await this.#options.db.commit({ label: "schedule.end", statements });
  }

  /** Counts slots that failed in a row; too many pause the job. */
  async #countEnd(
    held: HeldJob,
    state: SlotState,
    { at, statements }: { readonly at: number; readonly statements: readonly Statement[] },
  ): Promise<void> {
    const { store, timers, events, jobs } = this.#options;
    const { job } = held;
    const failures = state === "failed" ? job.failures + 1 : state === "completed" ? 0 : job.failures;
    if (failures === job.failures) return this.#commit(statements);
    const pauses = failures >= MOST_FAILURES && job.enabled && job.kind === "cron";
    const paused = { enabled: false, pauseReason: "failing", offSince: at } as const;
    const changed: ScheduledJob = { ...job, failures, ...(pauses && { ...paused, updatedAt: at }) };
    // What has come and is still to be run goes with the job's times.
    const late =
      pauses && held.next !== undefined && held.next <= at ? missedUntil(held.schedule, held.next, at) : undefined;
    const missed =
      late === undefined ? [] : [this.#options.ledger.add(missedRow(job.id, late, { reason: "off", now: at }))];
    const all = [...statements, store.put(changed), ...missed];
    if (pauses) await timers.cancelWithin(timerId(job.id), (cancel) => this.#commit([...all, cancel]));
    else await this.#commit(all);
    jobs.set(Object.assign(held, { job: changed, ...(pauses && { next: undefined }) }));
    if (pauses) events.changed(job.id, "paused");
  }
}

/** Jobs that start turns by a schedule (G1 to G11): made, changed, run and removed. Every change of one is a command of its own. */
import { wordsOf } from "../cron/index.ts";
import type { Database, Statement } from "../database/index.ts";
import type { DurableTimer, DurableTimers } from "../timer/index.ts";
import { calendarOf, previewOf, type SchedulePreview } from "./calendar.ts";
import { dueAt, type HeldJob, type HeldJobs } from "./held-jobs.ts";
import type { JobConditions } from "./job-conditions.ts";
import { changedJob, type JobChange, jobOf, type NewJob, twinOf } from "./job-request.ts";
import type { JobStore } from "./job-store.ts";
import { firstSlotOf, isMoved, timesAfter } from "./job-times.ts";
import type { Ledger } from "./ledger.ts";
import { JobError } from "./schedule-error.ts";
import { JOB_LIMITS, type ScheduledJob, type SlotRun, timerId } from "./scheduled-job.ts";
import type { SlotFiring } from "./slot-firing.ts";
import type { SlotRuns } from "./slot-runs.ts";

const DAY_MS = 86_400_000;
export const TIMER_KIND = "schedule";

/** A job as it is shown. */
export interface ShownJob {
  readonly job: ScheduledJob;
  /** When it is run next, with its jitter; epoch milliseconds. */
  readonly nextFire: number | undefined;
  readonly last: SlotRun | undefined;
  /** Its open run takes longer than is expected. */
  readonly overdue: boolean;
}

export interface SchedulesParts {
  readonly db: Database;
  readonly now: () => number;
  readonly timers: Pick<DurableTimers, "setWithin" | "cancelWithin">;
  readonly store: JobStore;
  readonly ledger: Ledger;
  readonly jobs: HeldJobs;
  readonly runs: SlotRuns;
  readonly firing: SlotFiring;
  readonly isOn: () => boolean;
  readonly conditions: Pick<JobConditions, "require">;
  /** Reports a change of a job, after its commit. */
  readonly onChange: (id: string, action: "created" | "changed" | "removed") => void;
  /** Reports slots that were missed while the job was off. */
  readonly onMissed: (run: SlotRun) => void;
}

/** Makes, changes, runs and removes the jobs of one store, and reads their ledger. */
export class Schedules {
  readonly #parts: SchedulesParts;
  /** Jobs that are being made: they count as there are. */
  #making: Promise<unknown> = Promise.resolve();

  constructor(parts: SchedulesParts) {
    this.#parts = parts;
  }

  /** Whether slots are fired. */
  get isOn(): boolean {
    return this.#parts.isOn();
  }

  get count(): number {
    return this.#parts.jobs.size;
  }

  /** When the next slot of all is due; undefined: none is, or schedules are off. Epoch milliseconds. */
  get nextDueAt(): number | undefined {
    return this.isOn ? this.#parts.jobs.nextDueAt : undefined;
  }

  /** All jobs: those that are due next first, then those that are not due. */
  list(): readonly ShownJob[] {
    const shown = this.#parts.jobs.all().map((held) => this.#shown(held));
    const due = ({ nextFire }: ShownJob): number => nextFire ?? Number.MAX_SAFE_INTEGER;
    return shown.toSorted((a, b) => due(a) - due(b) || (a.job.id < b.job.id ? -1 : 1));
  }

  get(id: string): ShownJob | undefined {
    const held = this.#parts.jobs.get(id);
    return held && this.#shown(held);
  }

  /**
   * Makes a job; durable when it resolves. Made again by the same call, it is the same job.
   * @throws JobError invalid, taken, too_many, off @throws DatabaseError
   */
  create(asked: NewJob): Promise<ShownJob> {
    const made = this.#making.then(() => this.#create(asked));
    this.#making = made.catch(() => {});
    return made;
  }

  /** Changes what is given; a changed schedule drops the slot that was pending. @throws JobError @throws DatabaseError */
  update(id: string, change: JobChange): Promise<ShownJob> {
    const { jobs, firing } = this.#parts;
    return jobs.lock(id, async () => {
      this.#requireOn();
      await this.#requireCondition(change);
      const held = this.#need(id);
      if (Object.values(change).every((value) => value === undefined)) return this.#shown(held);
      const at = this.#parts.now();
      await this.#put(held, changedJob(jobs, held.job, change, at), at);
      firing.forget(id);
      return this.#shown(this.#need(id));
    });
  }

  /** Removes a job; its ledger stays for a while, and a turn that runs goes on. False: there is none. @throws DatabaseError */
  remove(id: string): Promise<boolean> {
    const { jobs, store, ledger, timers, db, runs, firing, now, onChange } = this.#parts;
    return jobs.lock(id, async () => {
      if (jobs.get(id) === undefined) return false;
      const waiting = runs.openOf(id).filter(({ startedAt }) => startedAt === undefined);
      const ends = waiting.map((run) => ledger.end(run, { state: "canceled", reason: "deleted", at: now() }));
      await timers.cancelWithin(timerId(id), (cancel) =>
        db.commit({ label: "schedule.remove", statements: [store.remove(id), cancel, ...ends] }),
      );
      jobs.delete(id);
      runs.drop(waiting);
      firing.forget(id);
      onChange(id, "removed");
      return true;
    });
  }

  /**
   * Runs a job now, in a slot of its own, whether it is on or not. `asked`: when that was asked for first, where it may have been
   * begun before a crash; the run that was begun then is returned.
   * @throws JobError unknown_job, running, off @throws TaskError @throws DatabaseError
   */
  run(id: string, asked?: { readonly at: number; readonly begun: boolean }): Promise<SlotRun> {
    const { jobs, runs, ledger, now } = this.#parts;
    return jobs.lock(id, async () => {
      this.#requireOn();
      const held = this.#need(id);
      const slotAt = (slot: number) => ledger.attempt({ job: id, slot, attempt: 1 });
      const first = besideMinute(asked?.at ?? now());
      const before = asked?.begun === true ? await slotAt(first) : undefined;
      if (before !== undefined) return before;
      const open = runs.openOf(id);
      const most = held.job.overlap === "allow" ? JOB_LIMITS.openRuns : 1;
      if (open.length >= most) throw new JobError("running", "a run of this job is open");
      let slot = first;
      while (slot === held.next || (await slotAt(slot)) !== undefined) slot++;
      return runs.begin(held, { slot, attempt: 1 }, []);
    });
  }

  /** The ledger of a job, newest first; of a deleted one too. Undefined: there is neither. @throws DatabaseError */
  async runs(
    id: string,
    page: { readonly limit: number; readonly before?: Pick<SlotRun, "slot" | "attempt"> | undefined },
  ): Promise<readonly SlotRun[] | undefined> {
    const rows = await this.#parts.ledger.list(id, page);
    return rows.length === 0 && page.before === undefined && this.#parts.jobs.get(id) === undefined ? undefined : rows;
  }

  /** What a schedule means. @throws JobError invalid */
  preview(
    asked: { readonly schedule: string; readonly timezone: string },
    { from = this.#parts.now(), n }: { readonly from?: number | undefined; readonly n: number },
  ): SchedulePreview {
    return previewOf(this.#parts.jobs, asked, { from, n });
  }

  /** The slots of all jobs between two instants (epoch milliseconds). */
  calendar(range: { readonly from: number; readonly to: number }): ReturnType<typeof calendarOf> {
    return calendarOf(this.#parts.jobs.all(), range);
  }

  /** The schedule of a job in words, without its zone. */
  wordsOf(id: string): string {
    return wordsOf(this.#need(id).schedule);
  }

  /** Removes the jobs of a session that is deleted; those with a conversation of their own stay (G21). @throws DatabaseError */
  async forgetSession(session: string): Promise<void> {
    const of = this.#parts.jobs
      .all()
      .filter(({ job }) => job.context === session && job.context !== `schedule:${job.id}`);
    for (const { job } of of) await this.remove(job.id);
  }

  /** One round of retention: old rows of the ledger, and one-shots that are over for a day. @throws DatabaseError */
  async sweep(now: number): Promise<void> {
    const { jobs, ledger, runs } = this.#parts;
    const isOver = ({ job }: HeldJob): boolean =>
      job.kind === "once" && !job.enabled && job.offSince === undefined && job.updatedAt < now - DAY_MS;
    for (const held of jobs.all()) {
      if (isOver(held) && runs.openOf(held.job.id).length === 0) await this.remove(held.job.id);
    }
    await ledger.sweep(now, (id) => jobs.get(id) !== undefined);
  }

  async #create(asked: NewJob): Promise<ShownJob> {
    this.#requireOn();
    await this.#requireCondition(asked);
    const { jobs, now } = this.#parts;
    const job = jobOf(jobs, asked, now());
    const known = jobs.get(job.id);
    if (known !== undefined) {
      if (asked.originCall !== undefined && known.job.originCall === asked.originCall) return this.#shown(known);
      throw new JobError("taken", "there is a job of this id");
    }
    const twin = twinOf(jobs, job);
    if (twin !== undefined) throw new JobError("taken", `the same job exists as ${twin.id}`, { twin: twin.id });
    const ofAgent = jobs.all().filter(({ job: one }) => one.createdBy === "agent").length;
    if (jobs.size >= JOB_LIMITS.jobs) throw new JobError("too_many", `there are ${JOB_LIMITS.jobs} jobs already`);
    if (job.createdBy === "agent" && ofAgent >= JOB_LIMITS.ofAgent)
      throw new JobError("too_many", `the agent has made ${JOB_LIMITS.ofAgent} jobs already`);
    const schedule = jobs.parse({ ...job, now: job.kind === "once" ? 0 : now() });
    const held: HeldJob = { job, schedule, next: undefined, last: undefined };
    // From when its row says it was made: what comes while it is stored is a slot of it.
    const since = { ledger: this.#parts.ledger, now: job.createdAt };
    await jobs.lock(job.id, async () =>
      this.#store(held, job.enabled ? await firstSlotOf(held, since) : undefined, []),
    );
    this.#parts.onChange(job.id, "created");
    return this.#shown(held);
  }

  async #put(held: HeldJob, job: ScheduledJob, at: number): Promise<void> {
    const { jobs, ledger, onChange, onMissed } = this.#parts;
    const schedule = isMoved(held.job, job) ? jobs.parse({ ...job, now: job.kind === "once" ? 0 : at }) : held.schedule;
    const changed = { ...held, job, schedule };
    const { next, missed } = await timesAfter(held, changed, { ledger, now: at });
    await this.#store(
      changed,
      next,
      missed.map((row) => ledger.add(row)),
    );
    onChange(job.id, "changed");
    for (const row of missed) onMissed(row);
  }

  async #store(held: HeldJob, next: number | undefined, more: readonly Statement[]): Promise<void> {
    const { db, store, timers, jobs } = this.#parts;
    const { job } = held;
    const commit = (timer: Statement): Promise<void> =>
      db.commit({ label: "schedule.put", statements: [store.put(job), timer, ...more] });
    if (next === undefined) await timers.cancelWithin(timerId(job.id), commit);
    else await timers.setWithin(timerOf(held, next), commit);
    jobs.set(Object.assign(jobs.get(job.id) ?? held, { ...held, next }));
  }

  #requireOn(): void {
    if (!this.isOn) throw new JobError("off", "schedules are switched off");
  }

  async #requireCondition({ onlyIf }: Pick<JobChange, "onlyIf">): Promise<void> {
    if (onlyIf !== undefined && onlyIf !== null) await this.#parts.conditions.require(onlyIf);
  }

  #need(id: string): HeldJob {
    const held = this.#parts.jobs.get(id);
    if (held === undefined) throw new JobError("unknown_job", "there is no such job");
    return held;
  }

  #shown(held: HeldJob): ShownJob {
    const { job, next, last } = held;
    const nextFire = next === undefined ? undefined : dueAt(held, next);
    return { job, nextFire, last, overdue: this.#parts.runs.openOf(job.id).some(({ overdue }) => overdue) };
  }
}

/** Whole minutes are slots of schedules. */
function besideMinute(at: number): number {
  return at % 60_000 === 0 ? at + 1 : at;
}

/** The timer of a job. It belongs to no conversation: deleting one takes no timer of a job that stays. */
export function timerOf({ job, schedule }: Pick<HeldJob, "job" | "schedule">, slot: number): DurableTimer {
  const due = dueAt({ job, schedule }, slot);
  return { id: timerId(job.id), kind: TIMER_KIND, class: job.class, context: "", due, body: { slot } };
}

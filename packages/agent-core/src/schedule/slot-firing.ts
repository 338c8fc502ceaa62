/**
 * Fires the slots of jobs: each is run, skipped or recorded as missed, in the commit that moves the job's timer to its next
 * slot (CR1, TR1).
 */
import type { Clock } from "../clock/index.ts";
import type { Database, Statement } from "../database/index.ts";
import type { DurableTimer, FireLater, SettleTimer } from "../timer/index.ts";
import { isLater } from "./begin-error.ts";
import type { CatchUp } from "./catch-up.ts";
import { dueAt, type HeldJob, type HeldJobs } from "./held-jobs.ts";
import type { CheckedCondition, JobConditions } from "./job-conditions.ts";
import { type JobStore, slotOf } from "./job-store.ts";
import type { Ledger } from "./ledger.ts";
import { missedRow, runOf } from "./ledger-rows.ts";
import { LATE_MS, planSlots, type SlotPlan } from "./plan-slots.ts";
import type { FiringEvents } from "./schedule-events.ts";
import { JOB_LIMITS, type JobCondition, type ScheduledJob, type SlotRun } from "./scheduled-job.ts";
import type { SlotRuns } from "./slot-runs.ts";

/** Milliseconds until it is looked at again whether schedules are switched on. */
const OFF_LOOK_MS = 30_000;

export interface SlotFiringOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly store: JobStore;
  readonly ledger: Ledger;
  readonly jobs: HeldJobs;
  readonly runs: SlotRuns;
  readonly catchUp: CatchUp;
  readonly conditions: Pick<JobConditions, "check">;
  readonly events: FiringEvents;
  /** Whether schedules are switched on. */
  readonly isOn: () => boolean;
}

export class SlotFiring {
  readonly #options: SlotFiringOptions;
  /** Checks before slots, by job: under way, or with what they found. */
  readonly #checks = new Map<string, { readonly slot: number; found: CheckedCondition | undefined }>();

  constructor(options: SlotFiringOptions) {
    this.#options = options;
  }

  /** Handles a job's timer. */
  fire(timer: DurableTimer, settle: SettleTimer): Promise<FireLater | undefined> {
    const { jobs } = this.#options;
    const id = timer.id.slice(timer.id.indexOf(":") + 1);
    return jobs.lock(id, () => this.#fire(id, timer, settle));
  }

  /** A job was changed or removed. */
  forget(id: string): void {
    this.#checks.delete(id);
    this.#options.catchUp.settle(id);
  }

  async #fire(id: string, timer: DurableTimer, settle: SettleTimer): Promise<FireLater | undefined> {
    const { jobs, clock, isOn, catchUp, db } = this.#options;
    const held = jobs.get(id);
    if (held === undefined || held.next === undefined) {
      await db.commit({ label: "schedule.drop", statements: [settle.remove] });
      return undefined;
    }
    const now = clock.now();
    if (!isOn()) return { at: now + OFF_LOOK_MS };
    const slot = slotOf(timer.body) ?? held.next;
    // The job was given other times while this one waited for its turn.
    if (slot !== held.next) return { at: now + OFF_LOOK_MS };
    const from = catchUp.from(id, timer.due, now);
    if (from > now) return { at: from };
    const plan = planSlots({ id, schedule: held.schedule, slot }, held.job, now);
    if (plan.fire !== undefined && this.#overlaps(held) === undefined && held.job.onlyIf !== undefined) {
      const wait = this.#checked(id, held.job.onlyIf, slot);
      if (wait !== undefined) return { at: wait };
    }
    const found = this.#checks.get(id)?.found;
    await this.#take(held, { plan, found, now }, settle);
    this.forget(id);
    return undefined;
  }

  /** Begins a check, or waits for it: when it is done; undefined: it is. */
  #checked(id: string, condition: JobCondition, slot: number): Promise<number> | undefined {
    const { conditions, clock } = this.#options;
    const known = this.#checks.get(id);
    if (known?.slot === slot) return known.found === undefined ? Promise.resolve(clock.now() + 1_000) : undefined;
    const made: { readonly slot: number; found: CheckedCondition | undefined } = { slot, found: undefined };
    this.#checks.set(id, made);
    return conditions.check(id, condition).then((found) => {
      made.found = found;
      return clock.now();
    });
  }

  /** What an open run of the job does to another slot; undefined: nothing. */
  #overlaps({ job }: HeldJob): "skip" | "queue" | undefined {
    const open = this.#options.runs.openOf(job.id).length;
    if (open === 0 || (job.overlap === "allow" && open < JOB_LIMITS.openRuns)) return undefined;
    return job.overlap === "queue" ? "queue" : "skip";
  }

  async #take(
    held: HeldJob,
    {
      plan,
      found,
      now,
    }: { readonly plan: SlotPlan; readonly found: CheckedCondition | undefined; readonly now: number },
    settle: SettleTimer,
  ): Promise<void> {
    const { db, runs, events, jobs } = this.#options;
    const { statements, missed, job } = this.#moved(held, plan, { now, settle });
    const slot = plan.fire;
    const reason = slot === undefined ? undefined : this.#skips(held, found);
    let skipped: SlotRun | undefined;
    if (slot === undefined) await db.commit({ label: "schedule.missed", statements });
    else if (reason === undefined) {
      const late = now - dueAt(held, slot) > LATE_MS ? now - slot : undefined;
      const unchecked = found !== undefined && found.met === undefined ? found.reason : undefined;
      await this.#begin(held, { slot, attempt: 1, late, unchecked }, statements);
    } else if (reason === "queue") await this.#queue(held, slot, { statements, now });
    else {
      skipped = this.#row(job.id, slot, "skipped", { reason, endedAt: now });
      await db.commit({ label: "schedule.skipped", statements: [this.#options.ledger.add(skipped), ...statements] });
    }
    jobs.set(Object.assign(held, { job, next: plan.next }));
    if (missed !== undefined) events.missed(missed);
    if (skipped !== undefined) events.skipped(skipped);
    runs.trigger.wake();
  }

  /** Why a slot is not run now. */
  #skips(held: HeldJob, found: CheckedCondition | undefined): "overlap" | "queue" | "nothing to do" | undefined {
    const overlap = this.#overlaps(held);
    if (overlap !== undefined) return overlap === "queue" ? "queue" : "overlap";
    return found?.met === false ? "nothing to do" : undefined;
  }

  /** What every outcome of a slot commits: the timer's next time, the missed slots before it, and a one-shot's end. */
  #moved(held: HeldJob, plan: SlotPlan, { now, settle }: { readonly now: number; readonly settle: SettleTimer }) {
    const { ledger, store } = this.#options;
    const { next } = plan;
    const isOver = held.job.kind === "once";
    const job: ScheduledJob = isOver ? { ...held.job, enabled: false, updatedAt: now } : held.job;
    const missed = plan.missed === undefined ? undefined : missedRow(job.id, plan.missed, { reason: undefined, now });
    const timer = next === undefined ? settle.remove : settle.moveTo(dueAt(held, next), { slot: next });
    const statements = [
      timer,
      ...(missed === undefined ? [] : [ledger.add(missed)]),
      ...(isOver ? [store.put(job)] : []),
    ];
    return { statements, missed, job };
  }

  async #begin(
    held: HeldJob,
    attempt: Parameters<SlotRuns["begin"]>[1],
    statements: readonly Statement[],
  ): Promise<void> {
    const { runs, db, ledger } = this.#options;
    try {
      await runs.begin(held, attempt, statements);
    } catch (error) {
      if (isLater(error)) throw error;
      // It ends like any attempt that fails: counted, reported and retried.
      const { unchecked } = attempt;
      const row = this.#row(
        held.job.id,
        attempt.slot,
        "running",
        unchecked === undefined ? {} : { notes: { unchecked } },
      );
      await db.commit({ label: "schedule.waits", statements: [ledger.add(row), ...statements] });
      runs.hold(row, held.job.overlap === "allow");
    }
  }

  /** The slot waits for the open run; one that waits already is skipped for it. */
  async #queue(
    { job }: HeldJob,
    slot: number,
    { statements, now }: { readonly statements: readonly Statement[]; readonly now: number },
  ): Promise<void> {
    const { runs, db, ledger, events } = this.#options;
    const waiting = runs.openOf(job.id).filter(({ startedAt, attempt }) => startedAt === undefined && attempt === 1);
    const row = this.#row(job.id, slot, "running", {});
    const replaced = waiting.map((run) => ledger.end(run, { state: "skipped", reason: "overlap", at: now }));
    await db.commit({ label: "schedule.queued", statements: [ledger.add(row), ...replaced, ...statements] });
    runs.drop(waiting);
    for (const run of waiting)
      events.skipped(this.#row(job.id, run.slot, "skipped", { reason: "overlap", endedAt: now }));
    runs.hold(row, false);
  }

  #row(job: string, slot: number, state: SlotRun["state"], more: Partial<SlotRun>): SlotRun {
    return runOf({ job, slot, attempt: 1, state, dueAt: this.#options.clock.now(), ...more });
  }
}

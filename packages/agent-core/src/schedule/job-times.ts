/**
 * The slots of a job that is made or changed.
 *
 * Invariants
 *  CR2  Slots only move forward, also where the clock was set back: what the ledger holds is not due again.
 */
import { nextSlot } from "../cron/index.ts";
import type { HeldJob } from "./held-jobs.ts";
import type { Ledger } from "./ledger.ts";
import { missedRow } from "./ledger-rows.ts";
import { missedUntil } from "./plan-slots.ts";
import { JobError } from "./schedule-error.ts";
import type { ScheduledJob, SlotRun } from "./scheduled-job.ts";

export interface JobTimes {
  /** The first slot; undefined: the job is off, or has none. */
  readonly next: number | undefined;
  /** Slots that have come and are not run. */
  readonly missed: readonly SlotRun[];
}

type Of = Pick<HeldJob, "job" | "schedule">;

/** The first slot of a job that is new, switched on, or given another schedule. @throws JobError invalid @throws DatabaseError */
export async function firstSlotOf(
  { job, schedule }: Of,
  { ledger, now }: { readonly ledger: Pick<Ledger, "newest" | "attempt">; readonly now: number },
): Promise<number | undefined> {
  if (!job.enabled) return undefined;
  if (schedule.kind === "once") {
    // A datetime that passed while it was sent is taken as now.
    if ((await ledger.attempt({ job: job.id, slot: schedule.at, attempt: 1 })) === undefined) return schedule.at;
    throw new JobError("invalid", "the ledger of this job has this time already: give it another");
  }
  return nextSlot(schedule, Math.max(now, (await ledger.newest(job.id)) ?? 0));
}

/** What a change makes of a job's slots. @throws JobError invalid @throws DatabaseError */
export async function timesAfter(
  held: HeldJob,
  { job, schedule }: Of,
  { ledger, now }: { readonly ledger: Pick<Ledger, "newest" | "attempt">; readonly now: number },
): Promise<JobTimes> {
  const before = held.job;
  const reschedules = isMoved(before, job);
  const turnsOn = job.enabled && !before.enabled;
  if (turnsOn && schedule.kind === "once" && !reschedules && schedule.at <= now)
    throw new JobError("invalid", "its time has passed: give it another");
  const isNew = job.enabled && (reschedules || turnsOn);
  const next = isNew ? await firstSlotOf({ job, schedule }, { ledger, now }) : job.enabled ? held.next : undefined;
  const newest = before.offSince === undefined ? 0 : ((await ledger.newest(job.id)) ?? 0);
  const missed = [
    // What has come and is still to be run goes with the times that are dropped.
    job.enabled && !reschedules ? undefined : missedFrom(held, held.next, job.enabled ? "changed" : "off", now),
    // What came while it was off is recorded, not made up for (G6).
    before.offSince !== undefined && (turnsOn || reschedules)
      ? missedFrom(held, nextSlot(held.schedule, Math.max(before.offSince, newest)), "off", now)
      : undefined,
  ];
  return { next, missed: missed.filter((row) => row !== undefined) };
}

/** Whether a change gives a job other times. */
export function isMoved(
  before: Pick<ScheduledJob, "schedule" | "timezone">,
  after: Pick<ScheduledJob, "schedule" | "timezone">,
): boolean {
  return before.schedule !== after.schedule || before.timezone !== after.timezone;
}

/** The slots from one on that have come; undefined: none has. */
function missedFrom(
  { job, schedule }: Of,
  first: number | undefined,
  reason: string,
  now: number,
): SlotRun | undefined {
  if (first === undefined || first > now) return undefined;
  return missedRow(job.id, missedUntil(schedule, first, now), { reason, now });
}

import type { NewRun } from "./ledger.ts";
import type { MissedSlots } from "./plan-slots.ts";
import type { SlotRun } from "./scheduled-job.ts";

/** A row of the ledger, with what it leaves out. */
export function runOf(run: NewRun): SlotRun {
  const { job, slot, attempt, state, reason, task, dueAt, startedAt, endedAt, upto, missed, notes } = run;
  return { job, slot, attempt, state, reason, task, dueAt, startedAt, endedAt, upto, missed, ...(notes && { notes }) };
}

/** Slots that were not run, as a row of the ledger. */
export function missedRow(
  job: string,
  { from, upto, count }: MissedSlots,
  { reason, now }: { readonly reason: string | undefined; readonly now: number },
): SlotRun {
  const row = { job, slot: from, attempt: 1, state: "missed", reason, dueAt: from, endedAt: now } as const;
  return runOf({ ...row, upto, missed: count });
}

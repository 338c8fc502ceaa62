/**
 * What becomes of the slots of a job that have come since it was looked at last (G5, G6).
 *
 * Invariants
 *  CR1  Each slot is fired, skipped or missed, and every one is in the ledger.
 *  CR2  Slots only move forward: the next one is after all that have come.
 */
import { createHash } from "node:crypto";
import { countSlots, latestSlot, nextSlot, type Schedule } from "../cron/index.ts";

/** Milliseconds a slot may be late by without a remark. */
export const LATE_MS = 60_000;
const SECOND_MS = 1_000;
/** Missed slots are counted to here. */
const MOST_COUNTED = 1_000;

/** Slots that are not run, as one row of the ledger. */
export interface MissedSlots {
  readonly from: number;
  readonly upto: number;
  readonly count: number;
}

export interface SlotPlan {
  /** The slot to run now. */
  readonly fire: number | undefined;
  readonly missed: MissedSlots | undefined;
  readonly next: number | undefined;
}

export interface SlotRules {
  readonly catchUpS: number;
  readonly jitterS: number;
}

/** Milliseconds by which a slot is put off: always the same for one slot, and never past the next one. */
export function jitterOf(job: string, slot: number, jitterS: number, next: number | undefined): number {
  if (jitterS === 0) return 0;
  const hash = createHash("sha256").update(`${job} ${slot}`).digest().readUInt32BE(0);
  const put = (hash % (jitterS * SECOND_MS + 1)) | 0;
  return next === undefined ? put : Math.max(0, Math.min(put, next - slot - SECOND_MS));
}

/** When a slot is run: its own time and its jitter. */
export function dueOf(job: string, slot: number, schedule: Schedule, { jitterS }: Pick<SlotRules, "jitterS">): number {
  return slot + jitterOf(job, slot, jitterS, jitterS === 0 ? undefined : nextSlot(schedule, slot));
}

/** `slot` is the first one that is not in the ledger yet, and it has come. */
export function planSlots(
  { id, schedule, slot }: { readonly id: string; readonly schedule: Schedule; readonly slot: number },
  rules: SlotRules,
  now: number,
): SlotPlan {
  let latest = latestSlot(schedule, slot, now) ?? slot;
  // One that is put off by its jitter comes later, by its own timer.
  if (latest > slot && dueOf(id, latest, schedule, rules) > now)
    latest = latestSlot(schedule, slot, latest - 1) ?? slot;
  const next = nextSlot(schedule, latest);
  const isLate = now - latest > rules.catchUpS * SECOND_MS;
  if (isLate) return { fire: undefined, missed: missedOf(schedule, slot, latest), next };
  if (latest === slot) return { fire: slot, missed: undefined, next };
  const before = latestSlot(schedule, slot, latest - 1) ?? slot;
  return { fire: latest, missed: missedOf(schedule, slot, before), next };
}

/** The slots from one to the last that has come. */
export function missedUntil(schedule: Schedule, from: number, now: number): MissedSlots {
  return missedOf(schedule, from, latestSlot(schedule, from, now) ?? from);
}

/** The slots from one to another, both included. */
function missedOf(schedule: Schedule, from: number, upto: number): MissedSlots {
  return { from, upto, count: 1 + countSlots(schedule, { after: from, until: upto }, MOST_COUNTED - 1) };
}

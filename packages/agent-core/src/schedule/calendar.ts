import { setImmediate } from "node:timers/promises";
import { type DstNote, dstNotes, nextSlot, type Schedule, ScheduleError, wordsOf } from "../cron/index.ts";
import type { HeldJob, HeldJobs } from "./held-jobs.ts";
import { JobError } from "./schedule-error.ts";

const DAY_MS = 86_400_000;
/** A job with more slots in a day is shown as one entry a day. */
const MOST_A_DAY = 24;
const MOST_ENTRIES = 1_000;
/** Milliseconds that others wait at most. */
const SLICE_MS = 10;

/** What a schedule means. Times are epoch milliseconds. */
export interface SchedulePreview {
  readonly words: string;
  readonly next: readonly number[];
  readonly notes: readonly DstNote[];
}

/** One slot, or a day of a job that has many. */
export interface CalendarEntry {
  readonly job: string;
  readonly at: number;
  readonly count: number;
}

/** The next slots of a schedule, with what changes of clocks do to them. @throws JobError */
export function previewOf(
  jobs: Pick<HeldJobs, "parse">,
  asked: { readonly schedule: string; readonly timezone: string },
  { from, n }: { readonly from: number; readonly n: number },
): SchedulePreview {
  let schedule: Schedule;
  try {
    schedule = jobs.parse({ ...asked, now: from });
  } catch (error) {
    if (error instanceof ScheduleError) throw new JobError("invalid", error.message, { cause: error });
    throw error;
  }
  const next = slotsFrom(schedule, from, n);
  const until = next.at(-1);
  return { words: wordsOf(schedule), next, notes: until === undefined ? [] : dstNotes(schedule, from, until + DAY_MS) };
}

function slotsFrom(schedule: Schedule, from: number, most: number): number[] {
  const slots: number[] = [];
  if (schedule.kind === "once") return schedule.at >= from ? [schedule.at] : [];
  for (let slot = nextSlot(schedule, from); slot !== undefined && slots.length < most; slot = nextSlot(schedule, slot))
    slots.push(slot);
  return slots;
}

/**
 * The slots of all jobs that are on, in order. Days begin at midnight UTC. `truncated`: there are more. Others are served while it
 * counts.
 */
export async function calendarOf(
  jobs: readonly HeldJob[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<{ readonly entries: readonly CalendarEntry[]; readonly truncated: boolean }> {
  const on = jobs.filter(({ next }) => next !== undefined && next < to);
  const entries: CalendarEntry[] = [];
  let yieldAt = performance.now() + SLICE_MS;
  for (let day = from; day < to && entries.length <= MOST_ENTRIES; ) {
    const end = Math.min(to, (Math.floor(day / DAY_MS) + 1) * DAY_MS);
    const ofDay: CalendarEntry[] = [];
    for (const { job, schedule, next = end } of on) {
      ofDay.push(...entriesOf(job.id, schedule, { from: Math.max(day, next), end }));
      if (performance.now() < yieldAt) continue;
      await setImmediate();
      yieldAt = performance.now() + SLICE_MS;
    }
    entries.push(...ofDay.sort((a, b) => a.at - b.at || (a.job < b.job ? -1 : 1)));
    day = end;
  }
  return { entries: entries.slice(0, MOST_ENTRIES), truncated: entries.length > MOST_ENTRIES };
}

function entriesOf(job: string, schedule: Schedule, { from, end }: { from: number; end: number }): CalendarEntry[] {
  if (schedule.kind === "once")
    return schedule.at >= from && schedule.at < end ? [{ job, at: schedule.at, count: 1 }] : [];
  const slots: number[] = [];
  for (let slot = nextSlot(schedule, from - 1); slot !== undefined && slot < end; slot = nextSlot(schedule, slot))
    slots.push(slot);
  if (slots.length > MOST_A_DAY) return [{ job, at: slots[0]!, count: slots.length }];
  return slots.map((at) => ({ job, at, count: 1 }));
}

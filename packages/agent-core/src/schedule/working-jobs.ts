import { type WorkingAsk, type WorkingPart, type WorkingRow, workingLine } from "../working-state/index.ts";
import type { HeldJob, HeldJobs } from "./held-jobs.ts";
import type { ScheduledJob } from "./scheduled-job.ts";

/** Rows that are written; the others are counted. */
const MOST = 10;

const isInside = ({ job }: HeldJob): boolean => !job.outside;

/**
 * The jobs that are on, as turns are shown them (G26): those of the conversation, then others of the operator's trust, the newest
 * first. Of a recurring one the schedule stands there and not its next time, which would be another after each run.
 */
export function workingJobs({ on }: Pick<HeldJobs, "on">, { context }: WorkingAsk): WorkingPart | undefined {
  if (on.size === 0) return undefined;
  const rows = on.newest(context, isInside, MOST).map(rowOf);
  return { kind: "jobs", rows, more: on.size - rows.length };
}

/** Kept with the job until it changes: each turn writes them. */
function rowOf(held: HeldJob): WorkingRow {
  const { job, next, row } = held;
  if (row?.of === job && row.next === next) return row;
  held.row = { of: job, next, text: lineOf(job, next), outside: job.outside };
  return held.row;
}

function lineOf({ id, prompt, schedule, kind, timezone }: ScheduledJob, next: number | undefined): string {
  const when = kind === "once" ? new Date(next ?? 0).toISOString() : `${workingLine(schedule, 60)} ${timezone}`;
  return `${id}: ${when}: ${workingLine(prompt)}`;
}

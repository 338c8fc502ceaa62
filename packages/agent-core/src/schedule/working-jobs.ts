import { firstOf } from "../collection/index.ts";
import { type WorkingAsk, type WorkingPart, workingLine } from "../working-state/index.ts";
import type { HeldJob, HeldJobs } from "./held-jobs.ts";

/** Rows that are written; the others are counted. */
const MOST = 10;

/**
 * The jobs that are on, as turns are shown them (G26): those of the conversation, then others of the operator's trust, the newest
 * first. Of a recurring one the schedule stands there and not its next time, which would be another after each run.
 */
export function workingJobs(jobs: Pick<HeldJobs, "all">, { context }: WorkingAsk): WorkingPart | undefined {
  const isOwn = ({ job }: HeldJob): boolean => job.context === context;
  // Every turn does this, and there may be 1,000 jobs.
  let on = 0;
  const candidates: HeldJob[] = [];
  for (const held of jobs.all()) {
    if (!held.job.enabled || held.next === undefined) continue;
    on += 1;
    if (!held.job.outside || isOwn(held)) candidates.push(held);
  }
  if (on === 0) return undefined;
  const shown = firstOf(
    // They are held in the order in which they were made: backwards, few come before those that were looked at.
    candidates.reverse(),
    MOST,
    (a, b) =>
      Number(isOwn(b)) - Number(isOwn(a)) || b.job.createdAt - a.job.createdAt || (a.job.id < b.job.id ? -1 : 1),
  );
  const rows = shown.map((held) => ({ text: lineOf(held), outside: held.job.outside }));
  return { kind: "jobs", rows, more: on - rows.length };
}

function lineOf({ job: { id, prompt, schedule, kind, timezone }, next }: HeldJob): string {
  const when = kind === "once" ? new Date(next ?? 0).toISOString() : `${workingLine(schedule, 60)} ${timezone}`;
  return `${id}: ${when}: ${workingLine(prompt)}`;
}

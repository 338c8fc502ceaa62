import type { WorkState } from "../../ui/index.ts";

/** The members of a job's row that decide its state. */
export interface JobTimes {
  readonly status: "running" | "completed" | "failed" | "canceled";
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly waiting: boolean;
}

/** The console's state of a job. For the API a job that waits, for a free slot or a person, is `running`. */
export function jobState({
  status,
  started_at,
  waiting,
}: Pick<JobTimes, "status" | "started_at" | "waiting">): WorkState {
  if (status !== "running") return status;
  if (waiting) return "waiting";
  return started_at === null ? "queued" : "working";
}

/** How long a job took, in milliseconds; undefined while it runs, and for one that never began. */
export function jobDuration({ started_at, completed_at }: JobTimes): number | undefined {
  if (started_at === null || completed_at === null) return undefined;
  return Math.max(0, Date.parse(completed_at) - Date.parse(started_at));
}

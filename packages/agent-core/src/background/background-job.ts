import { createHash } from "node:crypto";

/** Statuses of a job; `running` is also one that waits for its slot. */
export const JOB_STATUSES = ["running", "completed", "failed", "canceled"] as const;

export type JobStatus = (typeof JOB_STATUSES)[number];

/** A job as it is stored. Times are epoch milliseconds. */
export interface BackgroundJob {
  /** `bg-` and 12 hex characters. */
  readonly id: string;
  /** Caller class of the session it was spawned in (A16). */
  readonly class: string;
  /** The session it was spawned in. */
  readonly session: string;
  /** The task whose call spawned it; jobs of one task are reported together. */
  readonly parent: string;
  readonly call: string;
  readonly subagentType: string;
  readonly description: string;
  readonly prompt: string;
  /** Spawned by an incognito turn. */
  readonly incognito: boolean;
  /** The conversation it was spawned in held content from outside then, and so may its prompt (K8). */
  readonly outside: boolean;
  /** Whether its end may start a turn in its session, as far as how it was spawned decides that. */
  readonly resumes: boolean;
  readonly status: JobStatus;
  /** Its own task; undefined while it waits for a slot. */
  readonly task: string | undefined;
  /** The report, or why it failed; undefined while it runs and for a canceled one. */
  readonly result: string | undefined;
  readonly createdAt: number;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
  /** The turn that reads the report, or has read it. */
  readonly delivery: string | undefined;
  /** When a turn that had read the report was seen to have ended. */
  readonly deliveredAt: number | undefined;
  /** Cleared from the list; still read by its id. */
  readonly dismissed: boolean;
}

/** Work that a turn hands to a background job. */
export interface JobRequest {
  readonly subagentType: string;
  /** A short label for people. */
  readonly description: string;
  readonly prompt: string;
}

/** The id of the job at `position` of a call: the same whenever the call is made again (R3). */
export function jobId(call: string, position: number): string {
  return `bg-${createHash("sha256").update(`${call}\0${position}`).digest("hex").slice(0, 12)}`;
}

export function isJobId(text: string): boolean {
  return /^bg-[0-9a-f]{12}$/.test(text);
}

/** The context a job's own task runs in. */
export function jobContext(id: string): string {
  return `background:${id}`;
}

import type { JsonObject } from "../json/index.ts";

/** What becomes of a slot that comes while a run of its job is open. */
export const OVERLAPS = ["skip", "queue", "allow"] as const;
export type Overlap = (typeof OVERLAPS)[number];

/** Why a job does not run, where the operator did not switch it off. */
export type PauseReason = "failing";

/** A check that is asked before a slot: not met, the slot is skipped without a model call (G8). */
export type JobCondition = JsonObject;

/** What of a job its maker chooses. */
export interface JobPolicies {
  /** Its turns are shown their own messages alone. */
  readonly fresh: boolean;
  readonly overlap: Overlap;
  /** Seconds a slot may be late and still be run. */
  readonly catchUpS: number;
  /** Seconds within which a slot is put off, by its own amount. */
  readonly jitterS: number;
  /** Further attempts of a slot whose turn failed. */
  readonly retries: number;
  readonly onlyIf: JobCondition | undefined;
}

/** A job. Times are epoch milliseconds. */
export interface ScheduledJob extends JobPolicies {
  readonly id: string;
  readonly class: string;
  /** The conversation of its turns. */
  readonly context: string;
  readonly prompt: string;
  /** Five cron fields, or an ISO-8601 datetime. */
  readonly schedule: string;
  readonly kind: "cron" | "once";
  readonly timezone: string;
  readonly enabled: boolean;
  readonly pauseReason: PauseReason | undefined;
  /** Since when it is not enabled; undefined also for one that is over. */
  readonly offSince: number | undefined;
  /** Its text was written in a conversation that holds content from outside (G29). */
  readonly outside: boolean;
  /** Slots in a row whose last attempt failed. */
  readonly failures: number;
  /** `operator`, `agent` or `plugin:<id>`. */
  readonly createdBy: string;
  readonly originCall: string | undefined;
  /** What had started the turn that made it; undefined: a person's message, or no turn made it. */
  readonly originTrigger: string | undefined;
  readonly tzVersion: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const SLOT_STATES = [
  "running",
  "completed",
  "failed",
  "interrupted",
  "unconfirmed",
  "skipped",
  "missed",
  "canceled",
] as const;
export type SlotState = (typeof SLOT_STATES)[number];

/** What an attempt that has not ended needs besides its job. */
export interface RunNotes {
  /** Its message, which it was sent elsewhere with: under one key always the same is sent. */
  readonly text?: string | undefined;
  /** That message holds what came from outside (G29). */
  readonly outside?: true | undefined;
  /** Why the check before it could not be made. */
  readonly unchecked?: string | undefined;
}

/** A row of the ledger: an attempt of a slot, or slots that were missed. Times are epoch milliseconds. */
export interface SlotRun {
  readonly job: string;
  readonly slot: number;
  readonly attempt: number;
  readonly state: SlotState;
  readonly reason: string | undefined;
  readonly task: string | undefined;
  readonly dueAt: number;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  /** The last of the slots that this row of missed ones stands for. */
  readonly upto: number | undefined;
  readonly missed: number | undefined;
  readonly notes?: RunNotes | undefined;
}

export const JOB_LIMITS = {
  jobs: 1_000,
  /** Of those that the agent made. */
  ofAgent: 100,
  /** Characters of a prompt. */
  prompt: 32_768,
  catchUpS: 31 * 86_400,
  jitterS: 900,
  retries: 5,
  /** Open runs of a job with overlap `allow`. */
  openRuns: 8,
  /** Rows of a job's ledger that are kept. */
  ledgerRows: 200,
  ledgerDays: 90,
  /** Days the ledger of a deleted job is kept. */
  deletedDays: 30,
  /** One-shots that turns of one job or watch may have set and that wait. */
  pendingOfTrigger: 3,
} as const;

/** Slots in a row that may fail until a job is paused. */
export const MOST_FAILURES = 5;

/** The conversation of a job that has one of its own. */
export function jobContext(id: string): string {
  return `schedule:${id}`;
}

/** What stands at a task as what started it. */
export function jobTrigger(id: string): string {
  return `scheduler:${id}`;
}

export function timerId(id: string): string {
  return `schedule:${id}`;
}

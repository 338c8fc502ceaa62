import { createHash } from "node:crypto";
import { ScheduleError } from "../cron/index.ts";
import type { HeldJobs } from "./held-jobs.ts";
import { isMoved } from "./job-times.ts";
import { JobError } from "./schedule-error.ts";
import { JOB_LIMITS, type JobCondition, type JobPolicies, jobContext, type ScheduledJob } from "./scheduled-job.ts";

/** A job as it is asked for; what is left out has its default (G5). */
export interface NewJob extends Partial<Omit<JobPolicies, "onlyIf">> {
  readonly onlyIf?: JobCondition | null | undefined;
  readonly id?: string | undefined;
  readonly prompt: string;
  readonly schedule: string;
  readonly timezone?: string | undefined;
  /** The conversation of its turns; default: one of its own. */
  readonly context?: string | undefined;
  readonly createdBy: string;
  /** False: it is made switched off. */
  readonly enabled?: boolean | undefined;
  readonly originCall?: string | undefined;
  readonly originTrigger?: string | undefined;
  readonly outside?: boolean | undefined;
}

/** What of a job is changed; what is undefined stays. */
export type JobChange = Partial<Pick<ScheduledJob, "prompt" | "schedule" | "timezone" | "enabled">> &
  Partial<Omit<JobPolicies, "onlyIf">> & {
    /** Null: none any more. */
    readonly onlyIf?: JobCondition | null | undefined;
  };

const ID = /^[a-z0-9][a-z0-9_.:-]{0,63}$/;
const RESERVED = /^(?:watch-|wait:|plugin:)/;

/** Makes a job's row; nothing is stored. @throws JobError */
export function jobOf(jobs: HeldJobs, asked: NewJob, now: number): ScheduledJob {
  const id = asked.id ?? idOf(asked);
  if (!ID.test(id) || RESERVED.test(id))
    throw new JobError(
      "invalid",
      "a job's id begins with a-z or 0-9, holds a-z, 0-9 and _ . : - alone, at most 64, and does not begin with watch-, wait: or plugin:",
    );
  const prompt = promptOf(asked.prompt);
  const { enabled = true } = asked;
  const { text, kind, timezone } = parsed(jobs, { schedule: asked.schedule, timezone: asked.timezone ?? "UTC", now });
  return {
    id,
    class: "operator",
    context: asked.context ?? jobContext(id),
    prompt,
    schedule: text,
    kind,
    timezone,
    enabled,
    pauseReason: undefined,
    offSince: enabled ? undefined : now,
    fresh: asked.fresh ?? (kind === "cron" || asked.context === undefined),
    overlap: asked.overlap ?? "skip",
    catchUpS: asked.catchUpS ?? 86_400,
    jitterS: asked.jitterS ?? 0,
    retries: asked.retries ?? 2,
    onlyIf: asked.onlyIf ?? undefined,
    outside: asked.outside ?? false,
    failures: 0,
    createdBy: asked.createdBy,
    originCall: asked.originCall,
    originTrigger: asked.originTrigger,
    tzVersion: process.versions.tz ?? "",
    createdAt: now,
    updatedAt: now,
  };
}

/** A job's row after a change. @throws JobError */
export function changedJob(jobs: HeldJobs, job: ScheduledJob, change: JobChange, now: number): ScheduledJob {
  const { enabled = job.enabled, prompt, schedule, timezone, onlyIf, ...policies } = change;
  const reschedules = schedule !== undefined || timezone !== undefined;
  const { text, kind, zone } = reschedules
    ? {
        ...parsed(jobs, { schedule: schedule ?? job.schedule, timezone: timezone ?? job.timezone, now }),
        zone: timezone ?? job.timezone,
      }
    : { text: job.schedule, kind: job.kind, zone: job.timezone };
  const turnsOn = enabled && !job.enabled;
  return {
    ...job,
    ...Object.fromEntries(Object.entries(policies).filter(([, value]) => value !== undefined)),
    onlyIf: onlyIf === undefined ? job.onlyIf : (onlyIf ?? undefined),
    prompt: prompt === undefined ? job.prompt : promptOf(prompt),
    ...{ schedule: text, kind, timezone: zone, enabled },
    pauseReason: enabled ? undefined : job.pauseReason,
    offSince: enabled ? undefined : offSinceOf(job, isMoved(job, { schedule: text, timezone: zone }), now),
    failures: turnsOn ? 0 : job.failures,
    tzVersion: reschedules ? (process.versions.tz ?? "") : job.tzVersion,
    updatedAt: now,
  };
}

/** One that is over stays over, whatever else of it is changed. */
function offSinceOf({ enabled, offSince }: ScheduledJob, moved: boolean, now: number): number | undefined {
  return enabled || moved ? now : offSince;
}

/** An enabled job that would do the same at the same times in the same conversation. Names of zones are read in any case. */
export function twinOf(jobs: HeldJobs, wanted: ScheduledJob): ScheduledJob | undefined {
  const same = ({ job }: { readonly job: ScheduledJob }): boolean =>
    job.enabled &&
    job.id !== wanted.id &&
    job.prompt === wanted.prompt &&
    job.schedule === wanted.schedule &&
    job.timezone.toLowerCase() === wanted.timezone.toLowerCase() &&
    conversationOf(job) === conversationOf(wanted);
  return jobs.all().find(same)?.job;
}

/** Jobs with a conversation of their own differ by their ids alone. */
function conversationOf({ id, context }: ScheduledJob): string {
  return context === jobContext(id) ? "" : context;
}

function promptOf(prompt: string): string {
  const text = prompt.trim();
  if (text === "") throw new JobError("invalid", "a job has a prompt: what is to be done");
  if (text.length > JOB_LIMITS.prompt)
    throw new JobError("invalid", `a prompt has at most ${JOB_LIMITS.prompt} characters`);
  return text;
}

function parsed(jobs: HeldJobs, { schedule, timezone, now }: { schedule: string; timezone: string; now: number }) {
  try {
    const read = jobs.parse({ schedule, timezone, now });
    return { text: read.text, kind: read.kind, timezone };
  } catch (error) {
    if (error instanceof ScheduleError) throw new JobError("invalid", error.message, { cause: error });
    throw error;
  }
}

/** The same call makes the same id. */
function idOf({ originCall = crypto.randomUUID() }: NewJob): string {
  return `job-${createHash("sha256").update(originCall).digest("hex").slice(0, 10)}`;
}

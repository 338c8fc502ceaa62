/** The agent's side of its schedules (G9). */
import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import type { TaskService } from "../task/index.ts";
import { outsideApproval, triggerOfTurn } from "../trigger/index.ts";
import { JobError } from "./schedule-error.ts";
import { JOB_LIMITS } from "./scheduled-job.ts";
import type { Schedules, ShownJob } from "./schedules.ts";

const INCOGNITO = "Nothing of this turn may stay, so nothing can be scheduled in it.";
/** Jobs that one call lists. */
const LISTED = 50;
const PROMPT_CHARS = 120;

/** What is scheduled is the operator's, and not for subagents. */
const OF_SCHEDULES = { availableTo: ["lead"], content: "own", effect: "idempotent" } as const;

export interface ScheduleToolParts {
  readonly schedules: Schedules;
  readonly service: Pick<TaskService, "get">;
}

/** `schedule_task`, `list_schedules`, `cancel_schedule`. */
export function scheduleTools(parts: ScheduleToolParts): readonly AnyTool[] {
  return [scheduleTask(parts), listSchedules(parts), cancelSchedule(parts)];
}

function scheduleTask({ schedules, service }: ScheduleToolParts): AnyTool {
  return defineTool({
    name: "schedule_task",
    description: "Run a prompt later, once or again and again. A time that comes once returns to this conversation.",
    input: v.object({
      prompt: v.pipe(
        v.string(),
        v.trim(),
        v.nonEmpty(),
        v.maxLength(JOB_LIMITS.prompt),
        v.description("What to do then, in full."),
      ),
      when: v.pipe(
        v.string(),
        v.trim(),
        v.maxLength(200),
        v.description("Five cron fields, or an ISO-8601 datetime such as 2027-03-01T09:00."),
      ),
      job_id: v.optional(v.nullable(v.pipe(v.string(), v.trim(), v.maxLength(64)))),
      timezone: v.optional(v.nullable(v.pipe(v.string(), v.trim(), v.maxLength(64), v.description("IANA name; UTC.")))),
    }),
    ...OF_SCHEDULES,
    present: {
      asks: "Schedule for {when}: {prompt}?",
      doing: "Scheduling for {when}",
      done: "Scheduled for {when}: {prompt}",
    },
    approval: ({ prompt, when }, context) =>
      outsideApproval(context, isOnce(when) ? "Schedule a job?" : "Schedule a recurring job?", [when, prompt]),
    async run({ prompt, when, job_id, timezone }, context) {
      const { callId, caller, contextId } = context;
      if (caller.incognito) return INCOGNITO;
      const once = isOnce(when);
      const trigger = await triggerOfTurn(service, context);
      if (trigger !== undefined) requireRoom(schedules, { trigger, once, call: callId });
      try {
        const shown = await schedules.create({
          ...{ prompt, schedule: when, createdBy: "agent", originCall: callId, originTrigger: trigger },
          ...{ id: job_id || undefined, timezone: timezone || undefined, outside: caller.tainted },
          ...(once && { context: contextId, fresh: false }),
        });
        return scheduled(schedules, shown);
      } catch (error) {
        if (error instanceof JobError && error.twin !== undefined) return `Already scheduled as ${error.twin}.`;
        if (error instanceof JobError && error.code === "invalid")
          throw new JobError("invalid", `${error.message}. Now it is ${context.now().toISOString()}.`, {
            cause: error,
          });
        throw error;
      }
    },
  });
}

function listSchedules({ schedules }: ScheduleToolParts): AnyTool {
  return defineTool({
    name: "list_schedules",
    description: "List the scheduled jobs, the next one first.",
    input: v.object({}),
    ...OF_SCHEDULES,
    effect: "pure",
    deferred: true,
    present: { asks: "List the schedules?", doing: "Reading the schedules", done: "Read the schedules" },
    async run(_, context) {
      const jobs = schedules.list();
      if (jobs.length === 0) return "Nothing is scheduled.";
      if (jobs.slice(0, LISTED).some(({ job }) => job.outside)) context.fromOutside();
      const more = jobs.length > LISTED ? [`${jobs.length - LISTED} more are not shown.`] : [];
      return [...jobs.slice(0, LISTED).map((shown) => lineOf(schedules, shown)), ...more].join("\n");
    },
  });
}

function cancelSchedule({ schedules }: ScheduleToolParts): AnyTool {
  return defineTool({
    name: "cancel_schedule",
    description: "Remove a scheduled job; a run that has begun goes on.",
    input: v.object({ job_id: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(64)) }),
    ...OF_SCHEDULES,
    deferred: true,
    present: { asks: "Cancel {job_id}?", doing: "Cancelling {job_id}", done: "Cancelled {job_id}" },
    approval: ({ job_id }, context) => outsideApproval(context, "Remove a scheduled job?", [job_id]),
    async run({ job_id }, { caller }) {
      if (caller.incognito) return INCOGNITO;
      const removed = await schedules.remove(job_id);
      return removed ? `Canceled ${job_id}.` : `There is no scheduled job ${JSON.stringify(job_id)}.`;
    },
  });
}

function isOnce(when: string): boolean {
  return /^\d{4}-/.test(when.trim());
}

function requireRoom(
  schedules: Schedules,
  { trigger, once, call }: { readonly trigger: string; readonly once: boolean; readonly call: string },
): void {
  if (!once) throw new JobError("invalid", `this turn was started by ${trigger}: it can set no recurring job`);
  const waiting = schedules
    .list()
    .filter(({ job, nextFire }) => job.originTrigger === trigger && nextFire !== undefined);
  if (waiting.some(({ job }) => job.originCall === call)) return;
  if (waiting.length >= JOB_LIMITS.pendingOfTrigger)
    throw new JobError(
      "invalid",
      `turns of ${trigger} have set ${waiting.length} jobs that still wait: no more than that`,
    );
}

function scheduled(schedules: Schedules, { job, nextFire }: ShownJob): string {
  const next = nextFire === undefined ? "" : ` Next: ${new Date(nextFire).toISOString()}.`;
  return `Scheduled ${job.id}: ${schedules.wordsOf(job.id)} (${job.timezone}).${next}`;
}

function lineOf(schedules: Schedules, { job, nextFire }: ShownJob): string {
  const state = job.enabled ? "" : ` [${job.pauseReason ?? "off"}]`;
  const next = nextFire === undefined ? "not due" : `next ${new Date(nextFire).toISOString()}`;
  const prompt = job.prompt.length > PROMPT_CHARS ? `${job.prompt.slice(0, PROMPT_CHARS).toWellFormed()}…` : job.prompt;
  return `${job.id}${state}: ${schedules.wordsOf(job.id)} (${job.timezone}), ${next}: ${prompt}`;
}

import * as v from "valibot";
import { RUNS_PROGRAMS, refusePrograms } from "../check-programs/index.ts";
import { cursorOf, integerQuery, pageFields, pageQuery } from "../paging/index.ts";
import { defineRoute, json, type RequestKey, type ServedRoute, serve, timeQuery } from "../route/index.ts";
import {
  jobChangeSchema,
  newJobSchema,
  type ScheduledJobRow,
  type SlotRunRow,
  scheduledJobSchema,
  slotRunSchema,
} from "./schema.ts";

const tag = "Scheduler";
const params = { job_id: "The job's id." };
const failures = { 503: "Schedules are switched off (`middleware.scheduler`)." } as const;
const unknown = { 404: "There is no such job." } as const;
const refusals = {
  400: "The schedule, the time zone or the id cannot be used, or there is the same job already.",
  403: "A check that runs programs is not set on an instance that others reach without a credential.",
} as const;
const one = json(v.object({ job: scheduledJobSchema }));
const DAY_MS = 86_400_000;
const MOST_DAYS = 92;

export const listScheduledJobs = defineRoute({
  name: "scheduler.list",
  method: "GET",
  path: "/api/scheduler/jobs",
  tag,
  summary: "Scheduled jobs, the next one first",
  query: pageQuery(v.object({ due: v.number(), id: v.string() }), { defaultLimit: 100, maxLimit: 500 }),
  reply: json(
    v.object({
      enabled: v.boolean(),
      backend: v.pipe(v.nullable(v.string()), v.description("`store`; null while schedules are switched off.")),
      jobs: v.array(scheduledJobSchema),
      ...pageFields,
    }),
  ),
});

export const createScheduledJob = defineRoute({
  name: "scheduler.create",
  method: "POST",
  path: "/api/scheduler/jobs",
  tag,
  summary: "Schedules a job: a prompt that starts a turn at each time of a schedule",
  description:
    "Five cron fields or an ISO-8601 datetime; a datetime without an offset is a time of `timezone`. A fixed time that a change of clocks skips runs at the end of the gap, one that comes twice runs the first time.",
  body: newJobSchema,
  decides: RUNS_PROGRAMS,
  reply: one,
  failures: { ...failures, ...refusals, 409: "There are as many jobs as there may be." },
  example: { body: { prompt: "Sum up what came in overnight.", schedule: "0 7 * * 1-5", timezone: "Europe/Berlin" } },
});

export const readScheduledJob = defineRoute({
  name: "scheduler.read",
  method: "GET",
  path: "/api/scheduler/jobs/{job_id}",
  tag,
  summary: "A scheduled job",
  params,
  reply: one,
  failures: unknown,
});

export const editScheduledJob = defineRoute({
  name: "scheduler.edit",
  method: "PUT",
  path: "/api/scheduler/jobs/{job_id}",
  tag,
  summary: "Changes what is sent of a scheduled job; a changed schedule drops the slot that was pending",
  params,
  body: jobChangeSchema,
  decides: RUNS_PROGRAMS,
  reply: one,
  failures: { ...failures, ...unknown, ...refusals },
});

export const removeScheduledJob = defineRoute({
  name: "scheduler.remove",
  method: "DELETE",
  path: "/api/scheduler/jobs/{job_id}",
  tag,
  summary: "Removes a scheduled job; a turn that runs goes on, and its ledger stays for 30 days",
  params,
  reply: json(v.object({ canceled: v.literal(true) })),
  failures: unknown,
});

export const listSlotRuns = defineRoute({
  name: "scheduler.runs",
  method: "GET",
  path: "/api/scheduler/jobs/{job_id}/runs",
  tag,
  summary: "What became of a job's slots, newest first; of a deleted job too",
  params,
  query: pageQuery(v.object({ slot: v.number(), attempt: v.number() })),
  reply: json(v.object({ runs: v.array(slotRunSchema), ...pageFields })),
  failures: unknown,
});

export const runScheduledJob = defineRoute({
  name: "scheduler.run",
  method: "POST",
  path: "/api/scheduler/jobs/{job_id}/run",
  tag,
  summary: "Runs a job now, in a slot of its own, whether it is switched on or not",
  params,
  reply: json(v.object({ run: slotRunSchema })),
  failures: { ...failures, ...unknown, 409: "A run of it is open." },
});

export const previewSchedule = defineRoute({
  name: "scheduler.preview",
  method: "GET",
  path: "/api/scheduler/preview",
  tag,
  summary: "What a schedule means: in words, its next times, and what changes of clocks do to them",
  query: v.object({
    schedule: v.pipe(v.string(), v.maxLength(200)),
    timezone: v.optional(v.pipe(v.string(), v.maxLength(64)), "UTC"),
    from: v.optional(timeQuery("From when on; default now.")),
    n: integerQuery({ minimum: 1, maximum: 100, fallback: 10, description: "How many times, clamped into 1 to 100." }),
  }),
  reply: json(
    v.object({
      words: v.string(),
      next: v.array(v.string()),
      notes: v.array(v.object({ at: v.string(), effect: v.string(), text: v.string() })),
    }),
  ),
  failures: { 400: "The schedule or the time zone cannot be used; the detail says why." },
});

export const readCalendar = defineRoute({
  name: "scheduler.calendar",
  method: "GET",
  path: "/api/scheduler/calendar",
  tag,
  summary: "When jobs run between two times; a job with more than 24 slots in a day (UTC) is one entry of that day",
  query: v.object({
    from: v.optional(timeQuery("Default now.")),
    to: v.optional(timeQuery("At most 92 days later; default a week later.")),
  }),
  reply: json(
    v.object({
      entries: v.array(v.object({ job_id: v.string(), at: v.string(), count: v.number() })),
      truncated: v.pipe(v.boolean(), v.description("There are more than 1,000.")),
    }),
  ),
  failures: { 400: "The range has no days, or more than 92." },
});

/** Where a page of jobs ended. */
export interface ScheduledJobPosition {
  /** When it is due, epoch milliseconds; the largest safe integer: it is not. */
  readonly due: number;
  readonly id: string;
}

/** Implemented by the service. Refuses by throwing `Problem`; nothing changed then. */
export interface SchedulerService {
  enabled(): boolean;
  list(page: {
    readonly limit: number;
    readonly after: ScheduledJobPosition | undefined;
  }): readonly { readonly row: ScheduledJobRow; readonly position: ScheduledJobPosition }[];
  read(id: string): ScheduledJobRow;
  create(job: v.InferOutput<typeof newJobSchema>, key: RequestKey | undefined): Promise<ScheduledJobRow>;
  edit(id: string, change: v.InferOutput<typeof jobChangeSchema>): Promise<ScheduledJobRow>;
  remove(id: string): Promise<void>;
  runs(
    id: string,
    page: { readonly limit: number; readonly before: { readonly slot: number; readonly attempt: number } | undefined },
  ): Promise<
    readonly { readonly row: SlotRunRow; readonly position: { readonly slot: number; readonly attempt: number } }[]
  >;
  /** Under a key that was used before, the run that was begun then. */
  run(id: string, key: RequestKey | undefined): Promise<SlotRunRow>;
  preview(
    asked: { readonly schedule: string; readonly timezone: string },
    how: { readonly from: number | undefined; readonly n: number },
  ): {
    readonly words: string;
    readonly next: string[];
    readonly notes: { at: string; effect: string; text: string }[];
  };
  calendar(range: {
    readonly from: number;
    readonly to: number;
  }): Promise<{ readonly entries: { job_id: string; at: string; count: number }[]; readonly truncated: boolean }>;
  /** Epoch milliseconds. */
  now(): number;
  /** Refuses a range of a calendar. */
  refuseRange(): never;
}

export function schedulerRoutes(scheduler: SchedulerService): readonly ServedRoute[] {
  return [
    serve(listScheduledJobs, async ({ query: { limit, cursor } }) => {
      const found = scheduler.list({ limit, after: cursor });
      const last = found.length < limit ? undefined : found.at(-1)?.position;
      const enabled = scheduler.enabled();
      const jobs = found.map(({ row }) => row);
      return { enabled, backend: enabled ? "store" : null, jobs, next_cursor: cursorOf(last) };
    }),
    serve(createScheduledJob, async ({ body, requestKey, refuseDecision }) => {
      await refusePrograms(body.only_if?.verifier, { refuseDecision });
      return { job: await scheduler.create(body, requestKey) };
    }),
    serve(readScheduledJob, async ({ params }) => ({ job: scheduler.read(params.job_id) })),
    serve(editScheduledJob, async ({ params, body, refuseDecision }) => {
      await refusePrograms(body.only_if?.verifier, { refuseDecision });
      return { job: await scheduler.edit(params.job_id, body) };
    }),
    serve(removeScheduledJob, async ({ params }) => {
      await scheduler.remove(params.job_id);
      return { canceled: true as const };
    }),
    serve(listSlotRuns, async ({ params, query: { limit, cursor } }) => {
      const found = await scheduler.runs(params.job_id, { limit, before: cursor });
      const last = found.length < limit ? undefined : found.at(-1)?.position;
      return { runs: found.map(({ row }) => row), next_cursor: cursorOf(last) };
    }),
    serve(runScheduledJob, async ({ params, requestKey }) => ({
      run: await scheduler.run(params.job_id, requestKey),
    })),
    serve(previewSchedule, async ({ query: { schedule, timezone, from, n } }) =>
      scheduler.preview({ schedule, timezone }, { from, n }),
    ),
    serve(readCalendar, async ({ query }) => {
      const from = query.from ?? scheduler.now();
      const to = query.to ?? from + 7 * DAY_MS;
      if (to <= from || to - from > MOST_DAYS * DAY_MS) scheduler.refuseRange();
      return scheduler.calendar({ from, to });
    }),
  ];
}

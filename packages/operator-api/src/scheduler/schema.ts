import * as v from "valibot";
import { notBlank } from "../route/index.ts";

const nullableText = v.nullable(v.string());

/** What becomes of a slot that comes while a run of its job is open. */
export const OVERLAPS = ["skip", "queue", "allow"] as const;
/** What became of a slot, or of an attempt of it. */
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

/** A row of the ledger (G8). */
export const slotRunSchema = v.object({
  slot: v.pipe(v.string(), v.description("The slot's time, ISO-8601; of a run that was asked for, when that was.")),
  attempt: v.pipe(v.number(), v.description("1, or more where a turn failed or a restart ended it.")),
  state: v.picklist(SLOT_STATES),
  reason: v.pipe(
    nullableText,
    v.description("`overlap`, `nothing to do`, `off`, `had effects`, `deleted`, or why the turn failed."),
  ),
  task_id: v.pipe(nullableText, v.description("Its turn; null: none began, or another service runs it.")),
  due_at: v.string(),
  started_at: v.pipe(nullableText, v.description("Null: it waits, or nothing began.")),
  ended_at: nullableText,
  upto: v.pipe(nullableText, v.description("The last slot of those that a row of missed ones stands for.")),
  missed: v.pipe(v.nullable(v.number()), v.description("How many they are; 1000: at least.")),
});

/** A row of the ledger on the wire. */
export type SlotRunRow = v.InferInput<typeof slotRunSchema>;

/** A job's row (G4). */
export const scheduledJobSchema = v.object({
  id: v.string(),
  prompt: v.string(),
  schedule: v.pipe(v.string(), v.description("Five cron fields, or an ISO-8601 datetime.")),
  kind: v.picklist(["cron", "once"]),
  timezone: v.string(),
  words: v.pipe(v.string(), v.description("The schedule in English.")),
  enabled: v.boolean(),
  pause_reason: v.pipe(nullableText, v.description("`failing`: five slots in a row failed.")),
  agent_name: v.string(),
  context_id: v.pipe(v.string(), v.description("The conversation of its turns.")),
  fresh: v.pipe(v.boolean(), v.description("A turn sees the answer before it, not the whole conversation.")),
  overlap: v.picklist(OVERLAPS),
  catch_up_s: v.number(),
  jitter_s: v.number(),
  retries: v.number(),
  only_if: v.pipe(
    v.nullable(v.record(v.string(), v.unknown())),
    v.description("A check before each slot: not met, the slot is skipped without a model call."),
  ),
  created_by: v.pipe(v.string(), v.description("`operator` or `agent`.")),
  created_at: v.string(),
  updated_at: v.string(),
  next_fire: nullableText,
  last_fire: nullableText,
  last_run: v.nullable(slotRunSchema),
  failures: v.pipe(v.number(), v.description("Slots in a row that failed.")),
  overdue: v.pipe(v.boolean(), v.description("A run takes longer than `SCHEDULER_FIRE_TIMEOUT_S`; it goes on.")),
  workflow: v.pipe(v.null(), v.description("Workflows are not built.")),
  budget: v.pipe(v.null(), v.description("Budgets are not built.")),
});

/** A job's row on the wire. */
export type ScheduledJobRow = v.InferInput<typeof scheduledJobSchema>;

const seconds = (most: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(most));
/** What is not built is refused, not ignored. */
const unbuilt = v.optional(
  v.pipe(v.null("It is not built."), v.description("Not built: anything but null is refused.")),
);

const policies = {
  fresh: v.optional(v.boolean()),
  overlap: v.optional(v.picklist(OVERLAPS, "Expected skip, queue or allow.")),
  catch_up_s: v.optional(v.pipe(seconds(31 * 86_400), v.description("How late a slot may still run; default a day."))),
  jitter_s: v.optional(v.pipe(seconds(900), v.description("Within which each slot is put off; default 0."))),
  retries: v.optional(v.pipe(seconds(5), v.description("Of a slot whose turn failed; default 2."))),
  only_if: v.optional(v.nullable(v.record(v.string(), v.unknown()))),
  workflow: unbuilt,
  budget: unbuilt,
};
const prompt = notBlank(32_768, "A job has a prompt.");
const schedule = v.pipe(
  notBlank(200, "A job has a schedule."),
  v.description("Five cron fields, or an ISO-8601 datetime."),
);
const timezone = v.pipe(notBlank(64, "A time zone has a name."), v.description("An IANA name; default UTC."));

export const newJobSchema = v.object({
  prompt,
  schedule,
  timezone: v.optional(timezone),
  job_id: v.optional(v.pipe(v.string(), v.maxLength(64), v.description("Default: one that is made."))),
  context_id: v.optional(
    v.pipe(
      notBlank(256, "A session has an id."),
      v.description("The conversation of its turns; default: one of its own."),
    ),
  ),
  enabled: v.optional(v.pipe(v.boolean(), v.description("False: it is made switched off. Default: true."))),
  ...policies,
});

export const jobChangeSchema = v.object({
  prompt: v.optional(prompt),
  schedule: v.optional(schedule),
  timezone: v.optional(timezone),
  enabled: v.optional(v.pipe(v.boolean(), v.description("False: paused. What comes meanwhile is recorded as missed."))),
  ...policies,
});

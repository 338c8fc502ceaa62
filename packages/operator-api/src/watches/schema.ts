import * as v from "valibot";
import { notBlank } from "../route/index.ts";

const nullableText = v.nullable(v.string());
const nullableNumber = v.nullable(v.number());

export const WATCH_STATUSES = ["active", "met", "expired"] as const;

/** A watch's row (G18). */
export const watchSchema = v.object({
  id: v.string(),
  condition: v.string(),
  status: v.picklist(WATCH_STATUSES),
  check: v.pipe(nullableText, v.description("The verifier's name; null: it is one without a name.")),
  check_args: v.nullable(v.record(v.string(), v.unknown())),
  verifier: v.pipe(v.record(v.string(), v.unknown()), v.description("The check in full.")),
  project: nullableText,
  trigger: v.picklist(["met", "change"]),
  on_change: v.boolean(),
  repeat: v.boolean(),
  run_prompt: v.pipe(
    nullableText,
    v.description("What a turn begins with when it fires; null: a message without a model."),
  ),
  run_session: v.pipe(v.string(), v.description("The conversation of its reactions.")),
  interval_s: nullableNumber,
  expires_in_s: nullableNumber,
  deadline: nullableText,
  expires_at: nullableText,
  stall_after: nullableNumber,
  was_met: v.boolean(),
  check_count: v.number(),
  fire_count: v.number(),
  consecutive_fires: v.pipe(v.number(), v.description("Fires without two quiet checks between any of them.")),
  flap_warned: v.boolean(),
  flapping: v.pipe(v.boolean(), v.description("Five such fires or more.")),
  suppressed: v.pipe(v.number(), v.description("Fires that no reaction followed: at most twelve an hour do.")),
  pending: v.pipe(v.number(), v.description("Fires that wait for the reaction that runs.")),
  reaction_task_id: nullableText,
  errors: v.pipe(v.number(), v.description("Checks in a row that came to no verdict.")),
  last_checked: nullableText,
  last_reason: v.string(),
  last_evidence: v.string(),
  stall_streak: v.number(),
  stalled_notified: v.boolean(),
  next_check_at: nullableText,
  created_by: v.string(),
  created_at: v.string(),
  finished_at: nullableText,
});

/** A watch's row on the wire. */
export type WatchRow = v.InferInput<typeof watchSchema>;

export const watchFireSchema = v.object({
  no: v.number(),
  at: v.string(),
  kind: v.picklist(["met", "change", "expired", "stalled"]),
  task_id: v.pipe(
    nullableText,
    v.description("Its reaction or message; null: it became part of a later one, or of none."),
  ),
  reason: v.string(),
  evidence: v.string(),
});

/** When a watch fired, on the wire. */
export type WatchFireRow = v.InferInput<typeof watchFireSchema>;

export const verifierSchema = v.object({
  name: v.string(),
  description: v.string(),
  args: v.pipe(v.record(v.string(), v.unknown()), v.description("The JSON Schema of its arguments.")),
});

/** A check with a name, on the wire. */
export type VerifierRow = v.InferInput<typeof verifierSchema>;

const seconds = (least: number, what: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(31_536_000), v.description(what));
const condition = notBlank(2_000, "A watch has a condition.");
const check = {
  check: v.optional(v.pipe(v.string(), v.maxLength(129), v.description("The name of a verifier, such as core:url."))),
  check_args: v.optional(v.record(v.string(), v.unknown())),
  verifier: v.optional(
    v.pipe(
      v.union([v.string(), v.record(v.string(), v.unknown())]),
      v.description("In the place of `check`: `{type}` command, test, ci, data or plugin, with its keys."),
    ),
  ),
  project: v.optional(
    v.pipe(v.string(), v.maxLength(200), v.description("Whose folder is checked; default: the first.")),
  ),
};
const prompt = v.pipe(v.string(), v.maxLength(32_768));
const time = v.union([
  v.pipe(v.number(), v.description("Seconds since 1970.")),
  v.pipe(v.string(), v.maxLength(64), v.description("ISO-8601.")),
]);
const interval = seconds(5, "Slower than the interval of the settings.");
const expires = seconds(1, "From now on.");
const stall = seconds(1, "Unchanged checks until that is reported.");
const trigger = v.picklist(["met", "change"], "Expected met or change.");

export const newWatchSchema = v.object({
  condition,
  ...check,
  watch_id: v.optional(
    v.pipe(v.string(), v.maxLength(64), v.description("Default: made of the condition. An equal id replaces.")),
  ),
  run_prompt: v.optional(v.nullable(prompt)),
  run_session: v.optional(notBlank(256, "A session has an id.")),
  interval_s: v.optional(v.nullable(interval)),
  expires_in_s: v.optional(v.nullable(expires)),
  deadline: v.optional(v.nullable(time)),
  stall_after: v.optional(v.nullable(stall)),
  repeat: v.optional(v.boolean()),
  on_change: v.optional(v.boolean()),
  trigger: v.optional(trigger),
});

export const watchChangeSchema = v.object({
  condition: v.optional(condition),
  ...check,
  run_prompt: v.optional(v.nullable(prompt)),
  interval_s: v.optional(v.nullable(interval)),
  expires_in_s: v.optional(v.nullable(expires)),
  deadline: v.optional(v.nullable(time)),
  stall_after: v.optional(v.nullable(stall)),
  repeat: v.optional(v.boolean()),
  on_change: v.optional(v.boolean()),
  trigger: v.optional(trigger),
});

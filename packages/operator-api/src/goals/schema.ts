import * as v from "valibot";
import { notBlank } from "../route/index.ts";

const nullableText = v.nullable(v.string());
const nullableNumber = v.nullable(v.number());

export const GOAL_STATUSES = ["active", "met", "exhausted", "unachievable"] as const;
export const GOAL_PHASES = ["driving", "verifying", "paused", "ended"] as const;
/** Why an active goal is not driven. */
export const GOAL_PAUSES = [
  "kick",
  "round_cap",
  "handed_off",
  "turn_failed",
  "verifier_failed",
  "interrupted",
  "canceled",
  "off",
] as const;
/** What a goal's timeline holds. */
export const GOAL_EVENTS = [
  "set",
  "drive",
  "verdict",
  "verification_failed",
  "turn_failed",
  "round_cap",
  "plan",
  "abandoned",
  "paused",
  "resumed",
  "extended",
  "rearmed",
  "ended",
] as const;

const verdictStatus = v.picklist(["continue", ...GOAL_STATUSES]);

/** A goal's record (G14). */
export const goalSchema = v.object({
  id: v.string(),
  session_id: v.string(),
  condition: v.string(),
  verifier: v.pipe(v.record(v.string(), v.unknown()), v.description("The check that says whether it is met.")),
  project: v.pipe(nullableText, v.description("Whose folder is checked.")),
  outcome: v.string(),
  constraints: v.array(v.string()),
  boundaries: v.array(v.string()),
  stop_when: v.pipe(v.string(), v.description("When to give up; a model judges it.")),
  status: v.picklist(GOAL_STATUSES),
  phase: v.picklist(GOAL_PHASES),
  paused: v.pipe(
    v.nullable(v.picklist(GOAL_PAUSES)),
    v.description("Why an active goal is not driven: the next message of its session, or `resume`, goes on."),
  ),
  fresh_context: v.pipe(v.boolean(), v.description("A drive sees the answer before it, not the whole conversation.")),
  abandon_reason: v.pipe(v.string(), v.description("Why the agent gave up.")),
  iteration: v.pipe(v.number(), v.description("Verdicts so far, since it was set or rearmed.")),
  max_iterations: v.number(),
  no_progress_limit: v.pipe(v.number(), v.description("Equal verdicts in a row with which it is unachievable.")),
  no_progress_streak: v.number(),
  last_progress_signature: v.string(),
  last_reason: v.string(),
  last_evidence: v.string(),
  drive_task_id: v.pipe(nullableText, v.description("The turn that works on it.")),
  verify_task_id: v.pipe(nullableText, v.description("The task that checks it.")),
  retry_at: v.pipe(nullableText, v.description("When what failed is tried again.")),
  plan: v.string(),
  budget: v.pipe(v.null(), v.description("Budgets are not built.")),
  spent: v.object({
    usd: v.pipe(nullableNumber, v.description("Null: a price is not known.")),
    tokens: v.number(),
  }),
  history: v.pipe(
    v.array(
      v.object({
        iteration: v.number(),
        at: v.string(),
        status: verdictStatus,
        reason: v.string(),
        evidence: v.string(),
      }),
    ),
    v.description("The last 50 verdicts, oldest first; empty in lists."),
  ),
  created_by: v.pipe(v.string(), v.description("`operator`, `chat` or `agent`.")),
  started_at: v.string(),
  finished_at: nullableText,
});

/** A goal's record on the wire. */
export type GoalRow = v.InferInput<typeof goalSchema>;

export const goalEventSchema = v.object({
  no: v.number(),
  at: v.string(),
  kind: v.picklist(GOAL_EVENTS),
  task_id: v.pipe(nullableText, v.description("The drive, or the task that checked.")),
  iteration: nullableNumber,
  met: v.nullable(v.boolean()),
  status: v.nullable(verdictStatus),
  reason: v.string(),
  evidence: v.pipe(v.string(), v.description("What the check found, as data.")),
  text: v.pipe(v.string(), v.description("The plan, for example.")),
  usd: v.pipe(nullableNumber, v.description("Of a verdict: what the check and the drive before it cost.")),
  tokens: nullableNumber,
});

/** An event of a goal's timeline on the wire. */
export type GoalEventRow = v.InferInput<typeof goalEventSchema>;

const items = (what: string) =>
  v.optional(v.pipe(v.array(notBlank(1_000, "An item has a text.")), v.maxLength(20), v.description(what)));
/** What is not built is refused, not ignored. */
const unbuilt = v.optional(
  v.pipe(v.null("It is not built."), v.description("Not built: anything but null is refused.")),
);

const whole = (most: number, message: string) =>
  v.optional(
    v.nullable(v.pipe(v.number(message), v.integer(message), v.minValue(1, message), v.maxValue(most, message))),
  );

export const newGoalSchema = v.object({
  session_id: notBlank(256, "A session has an id."),
  condition: v.optional(v.pipe(v.string(), v.maxLength(4_000), v.description("What is to hold; required."))),
  verifier: v.optional(
    v.nullable(
      v.pipe(
        v.union([v.string(), v.record(v.string(), v.unknown())]),
        v.description(
          "`{type}` command, test, ci, data, plugin or llm with its keys; or the name of a verifier. Default: llm.",
        ),
      ),
    ),
  ),
  project: v.optional(
    v.pipe(v.string(), v.maxLength(200), v.description("Whose folder is checked; default: the first.")),
  ),
  max_iterations: whole(1_000, "max_iterations is a whole number from 1 to 1000."),
  no_progress_limit: whole(100, "no_progress_limit is a whole number from 1 to 100."),
  outcome: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(4_000), v.description("What the result looks like.")))),
  constraints: items("What is to be kept to."),
  boundaries: items("What is not to be touched."),
  stop_when: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(2_000), v.description("When to give up.")))),
  fresh_context: v.optional(v.boolean()),
  kick: v.optional(v.pipe(v.boolean(), v.description("Start to work on it now. Default: true."))),
  budget: unbuilt,
});

export const rearmSchema = v.object({
  add_iterations: whole(1_000, "add_iterations is a whole number from 1 to 1000."),
});

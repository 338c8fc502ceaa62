import * as v from "valibot";
import type { Frozen } from "../route/index.ts";
import { taskStateSchema } from "../task-state/index.ts";
import { usageSchema } from "./schema.ts";

const common = {
  seq: v.pipe(v.number(), v.description("The event's number; pieces of text are left out, so numbers skip.")),
  at: v.string(),
};
const call = v.pipe(v.string(), v.description("Id of the call: start and end have the same."));
const reasoning_effort = v.pipe(
  v.nullable(v.string()),
  v.description("The effort it was sent with; null: none, so the provider's own."),
);
const text = v.pipe(v.string(), v.description("The first 8,000 characters."));
const prompt = v.object({
  prompt_id: v.string(),
  call_id: v.string(),
  parent_call_id: v.pipe(v.nullable(v.string()), v.description("The call that made the call, such as a script's.")),
  tool: v.string(),
  kind: v.picklist(["question", "form", "approval"]),
  reason: v.pipe(v.picklist(["inside", "before", "again"]), v.description("`again`: it may have run before.")),
  question: v.pipe(v.string(), v.description("What the person is asked, in short.")),
});

/** One line of a task's timeline. */
export const journalRowSchema = v.variant("kind", [
  v.object({
    kind: v.literal("accepted"),
    ...common,
    state: taskStateSchema,
    origin: v.string(),
    text,
    parent_task_id: v.nullable(v.string()),
    role: v.nullable(v.string()),
  }),
  v.object({
    kind: v.picklist(["started", "resumed"]),
    ...common,
    state: taskStateSchema,
  }),
  v.object({ kind: v.literal("model_started"), ...common, call_id: call, step: v.number(), model: v.string() }),
  v.object({
    kind: v.literal("model_finished"),
    ...common,
    call_id: call,
    step: v.number(),
    model: v.string(),
    reasoning_effort,
    finish: v.string(),
    usage: v.nullable(usageSchema),
    cost_usd: v.nullable(v.number()),
    duration_ms: v.number(),
    tool_calls: v.array(v.object({ call_id: v.string(), tool: v.string() })),
  }),
  v.object({
    kind: v.literal("model_failed"),
    ...common,
    call_id: call,
    step: v.number(),
    model: v.string(),
    reasoning_effort,
    code: v.string(),
    message: v.string(),
    usage: v.nullable(usageSchema),
    cost_usd: v.nullable(v.number()),
    duration_ms: v.number(),
  }),
  v.object({
    kind: v.literal("model_retried"),
    ...common,
    call_id: call,
    code: v.string(),
    wait_ms: v.number(),
  }),
  v.object({ kind: v.literal("model_fallback"), ...common, from: v.string(), to: v.string(), code: v.string() }),
  v.object({
    kind: v.literal("tool_started"),
    ...common,
    call_id: call,
    tool: v.string(),
    args: v.pipe(v.string(), v.description("JSON; the first 8,000 characters.")),
    truncated: v.boolean(),
    parent_call_id: v.nullable(v.string()),
  }),
  v.object({
    kind: v.literal("tool_finished"),
    ...common,
    call_id: call,
    tool: v.string(),
    outcome: v.pipe(
      v.string(),
      v.description("`ok`, `error`, `denied`, `aborted` or `unknown` (it may have happened)."),
    ),
    result: text,
    truncated: v.boolean(),
    duration_ms: v.number(),
    parent_call_id: v.nullable(v.string()),
  }),
  v.object({
    kind: v.pipe(v.literal("approval_skipped"), v.description("The call runs, and no person is asked who would be.")),
    ...common,
    call_id: call,
    tool: v.string(),
    by: v.pipe(
      v.picklist(["bypass", "rule", "grant"]),
      v.description(
        "`bypass`: the turn waived it; `rule`: the settings allow the call; `grant`: it was approved for the future.",
      ),
    ),
    rule: v.pipe(v.nullable(v.string()), v.description("The entry of the settings.")),
  }),
  v.object({
    kind: v.literal("delegation_finished"),
    ...common,
    call_id: call,
    task_id: v.string(),
    state: taskStateSchema,
  }),
  v.object({ kind: v.literal("component_shown"), ...common, call_id: call, component: v.unknown() }),
  v.object({ kind: v.literal("steered"), ...common, texts: v.array(text) }),
  v.object({ kind: v.literal("noted"), ...common, guard: v.string(), text }),
  v.object({ kind: v.literal("pruned"), ...common, results: v.number(), chars: v.number() }),
  v.object({
    kind: v.literal("compacted"),
    ...common,
    summarised: v.number(),
    kept: v.number(),
    chars: v.number(),
  }),
  v.object({
    kind: v.pipe(
      v.literal("recalled"),
      v.description("What the agent remembered for the turn; texts are not included."),
    ),
    ...common,
    step: v.number(),
    mode: v.picklist(["keyword", "hybrid", "none"]),
    items: v.array(
      v.object({
        chunk_id: v.number(),
        revision: v.number(),
        kind: v.picklist(["always", "hit"]),
        trust: v.string(),
        score: v.nullable(v.number()),
        keyword_rank: v.nullable(v.number()),
        vector_rank: v.nullable(v.number()),
        words: v.pipe(v.nullable(v.number()), v.description("Words of the message that it has.")),
      }),
    ),
    session_ids: v.pipe(v.array(v.string()), v.description("Earlier conversations that a line was shown of.")),
    in_sight_chunk_ids: v.pipe(
      v.array(v.number()),
      v.description("Memories that earlier parts of the conversation still show."),
    ),
    left_out: v.array(
      v.object({
        chunk_id: v.number(),
        reason: v.pipe(
          v.picklist(["in_sight", "floor", "budget", "duplicate"]),
          v.description("`in_sight`: the model sees it already; `floor`: too little of the message is in it."),
        ),
      }),
    ),
    chars: v.number(),
    duration_ms: v.number(),
    late: v.pipe(v.boolean(), v.description("Something was not there in time and is left out.")),
    degraded: v.pipe(v.boolean(), v.description("It was to be searched by meaning too, and could not be.")),
  }),
  v.object({
    kind: v.literal("cut"),
    ...common,
    left: v.pipe(v.number(), v.description("Messages that went out of the model's sight; they stay stored.")),
    kept: v.number(),
    out_of_sight: v.pipe(v.number(), v.description("All that ever did in this conversation.")),
  }),
  v.object({
    kind: v.pipe(v.literal("detail_removed"), v.description("The steps of the turn are old and not kept any more.")),
    ...common,
    model_calls: v.number(),
    tool_calls: v.number(),
  }),
  v.object({ kind: v.literal("parked"), ...common, state: taskStateSchema, prompts: v.array(prompt) }),
  v.object({ kind: v.literal("reply_rejected"), ...common, prompt, message: v.string() }),
  v.object({
    kind: v.literal("answered"),
    ...common,
    state: taskStateSchema,
    prompt_id: v.string(),
    text,
  }),
  v.object({
    kind: v.pipe(v.literal("withdrawn"), v.description("The task ends before a person decided.")),
    ...common,
    prompt_id: v.string(),
  }),
  v.object({ kind: v.literal("answer"), ...common, text, truncated: v.boolean() }),
  v.object({
    kind: v.picklist(["completed", "failed", "canceled"]),
    ...common,
    state: taskStateSchema,
    code: v.nullable(v.string()),
    message: v.nullable(v.string()),
    usage: usageSchema,
    cost_usd: v.nullable(v.number()),
    duration_ms: v.number(),
  }),
  v.object({
    kind: v.literal("other"),
    ...common,
    event: v.pipe(v.string(), v.description("A kind of event that has no form here yet.")),
  }),
]);

export type JournalRow = Frozen<v.InferInput<typeof journalRowSchema>>;

import * as v from "valibot";
import { notBlank } from "../route/index.ts";

/** Tasks of one batch (B35). */
const MAX_BATCH = 20;
/** Characters of a prompt. */
const MAX_PROMPT = 100_000;
/** Characters of a session's name. */
const MAX_SESSION = 512;
/** The session's name where none is given. */
const MANUAL = "manual-subagent";

/** A role and what the configuration makes of it. */
export const subagentSchema = v.object({
  name: v.string(),
  description: v.string(),
  enabled: v.pipe(v.boolean(), v.description("False: a delegation to it is refused.")),
  tools: v.pipe(
    v.array(v.string()),
    v.description("The tools it may have; those that only who leads has are left out."),
  ),
  default_tools: v.array(v.string()),
  max_turns: v.pipe(v.number(), v.description("Tool rounds of a delegation.")),
  default_max_turns: v.number(),
  model: v.pipe(v.string(), v.description("The model it is pinned to; blank for none.")),
});

const typeName = v.optional(v.pipe(v.string(), v.maxLength(64)));
const session = v.pipe(
  v.optional(v.pipe(v.string(), v.maxLength(MAX_SESSION)), MANUAL),
  v.description("The session it is listed under while it runs; its conversation is its own."),
);
const work = {
  description: v.pipe(v.optional(v.pipe(v.string(), v.maxLength(200)), ""), v.description("A short label for people.")),
  type: v.pipe(typeName, v.description("The role; `researcher` where none is named.")),
  subagent_type: v.pipe(typeName, v.description("The same; it counts where both are given.")),
};

/** What is sent to run a subagent. */
export const runBodySchema = v.object({
  session_id: session,
  prompt: v.pipe(v.string(), v.maxLength(MAX_PROMPT), v.description("All it needs to know; not blank.")),
  ...work,
});

/** What is sent to run several. */
export const batchBodySchema = v.object({
  session_id: session,
  tasks: v.pipe(
    v.array(
      v.object({
        prompt: notBlank(MAX_PROMPT, "Each task needs a prompt."),
        ...work,
      }),
    ),
    v.maxLength(MAX_BATCH, `At most ${MAX_BATCH} tasks.`),
  ),
});

/** The outcome of a run. */
export const runReplySchema = v.object({
  ok: v.pipe(v.boolean(), v.description("False: it was canceled or failed; `output` has the reason.")),
  session_id: v.string(),
  task_id: v.pipe(v.string(), v.description("The task that did it; its journal has every step.")),
  output: v.string(),
});

/** The outcome of a batch. */
export const batchReplySchema = v.object({
  ok: v.pipe(v.boolean(), v.description("True when every task ended as it should.")),
  session_id: v.string(),
  output: v.pipe(v.string(), v.description("A numbered section per task, cut to `subagents.output_truncate`.")),
  results: v.pipe(
    v.array(
      v.object({
        ok: v.boolean(),
        task_id: v.pipe(v.nullable(v.string()), v.description("Null: it was not started.")),
        subagent_type: v.string(),
        description: v.string(),
        output: v.pipe(v.string(), v.description("Whole.")),
      }),
    ),
    v.description("In the order of the tasks."),
  ),
});

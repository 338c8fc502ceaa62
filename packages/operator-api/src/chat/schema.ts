import * as v from "valibot";
import { reasoningEffortSchema } from "../reasoning-effort/index.ts";
import { taskStateSchema } from "../task-state/index.ts";

/** Characters of a session's name. */
const MAX_SESSION = 512;

/** What is sent to the agent. */
export const chatBodySchema = v.object({
  message: v.pipe(v.string(), v.description("The message to the agent, or the answer; not blank.")),
  session_id: v.pipe(
    v.optional(v.pipe(v.string(), v.maxLength(MAX_SESSION)), ""),
    v.description("The session to continue. Blank: a new one, named `api-<ms>-<6 base36>`."),
  ),
  model: v.pipe(
    v.nullish(v.pipe(v.string(), v.maxLength(512))),
    v.description("Of this turn, as `<connection>:<model>` or a bare name. Absent or blank: the one that leads."),
  ),
  reasoning_effort: v.pipe(
    v.nullish(reasoningEffortSchema),
    v.description(
      "Of this turn: how much the model reasons before it answers. Absent: `model.reasoning_effort`. A model that does not take it is asked without one, which the journal notes.",
    ),
  ),
  incognito: v.pipe(
    v.optional(v.boolean(), false),
    v.description(
      "Nothing of the turn stays: no prompt snapshot, no search, and no transcript once the session ends: when it is deleted, twelve hours after its last message, and when the service starts or stops.",
    ),
  ),
  bypass_approvals: v.pipe(
    v.optional(v.boolean(), false),
    v.description(
      "The turn, and what it delegates and waits for, does not ask before calls whose approval can be waived: commands, and tools of MCP servers. Does nothing where `filesystem.bypass_allowed` is false, which is read at each call, and in the answer to a prompt. The journal has each approval that was skipped.",
    ),
  ),
  hitl_resume: v.pipe(
    v.optional(v.boolean(), false),
    v.description("The message answers the oldest question or approval that waits in the session."),
  ),
});

const usage = v.object({ prompt_tokens: v.number(), completion_tokens: v.number(), total_tokens: v.number() });

const step = v.object({
  schema: v.record(v.string(), v.unknown()),
  title: v.optional(v.string()),
  description: v.optional(v.string()),
});

/** What a person is asked (A13). */
export const inputRequiredSchema = v.variant("kind", [
  v.object({ kind: v.literal("question"), prompt_id: v.string(), question: v.string() }),
  v.object({
    kind: v.literal("form"),
    prompt_id: v.string(),
    title: v.string(),
    description: v.string(),
    steps: v.array(step),
  }),
  v.object({
    kind: v.literal("approval"),
    prompt_id: v.string(),
    title: v.string(),
    detail: v.string(),
    tool: v.string(),
    args: v.unknown(),
  }),
]);

/** The outcome of a turn (B33, O8). */
export const chatReplySchema = v.object({
  response: v.pipe(v.string(), v.description("What the agent answered, or asks.")),
  messages: v.pipe(
    v.array(v.object({ role: v.literal("assistant"), content: v.string(), usage: v.optional(usage) })),
    v.description("The same as messages, with the tokens of this request."),
  ),
  session_id: v.string(),
  task_id: v.string(),
  state: taskStateSchema,
  input_required: v.pipe(
    v.optional(inputRequiredSchema),
    v.description("What is asked, while the turn waits for a person. Send the answer with `hitl_resume`."),
  ),
  note: v.pipe(v.optional(v.string()), v.description("How the turn ended, for example that the answer was cut off.")),
});

/** A slash command of operators. */
export const commandSchema = v.object({
  name: v.string(),
  kind: v.picklist(["control", "plugin_command", "workflow", "subagent", "skill", "mcp_prompt"]),
  description: v.string(),
  usage: v.string(),
  arguments: v.optional(
    v.pipe(
      v.array(v.object({ name: v.string(), description: v.optional(v.string()), required: v.boolean() })),
      v.description(
        "What follows the name: each in its place, or as `name=value`; the last takes the rest. Absent: what follows is one text.",
      ),
    ),
  ),
});

/** Characters of base64 of a file, whose bytes are fewer by a quarter. */
const MAX_FILE = 8_000_000;
/** Matches in one pass. A pattern that also counts fours overflows the stack at some megabytes, and the file gets a 500. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** A file whose text is asked for. */
export const fileTextBodySchema = v.object({
  name: v.pipe(v.string(), v.maxLength(512), v.description("As people know it.")),
  media_type: v.pipe(v.string(), v.maxLength(200), v.description("`application/pdf`.")),
  data: v.pipe(
    v.string(),
    v.maxLength(MAX_FILE),
    v.regex(BASE64, "Expected base64."),
    v.description("Its content in base64, 6 MB at most."),
  ),
});

/** The text of a file. */
export const fileTextSchema = v.object({
  text: v.string(),
  pages: v.pipe(v.number(), v.description("Pages that it has.")),
  pages_read: v.pipe(v.number(), v.description("The first ones, whose text this is.")),
  truncated: v.pipe(v.boolean(), v.description("It has more text than this.")),
});

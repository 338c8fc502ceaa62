import * as v from "valibot";
import { Problem } from "../problem/index.ts";
import { defineRoute, type Frozen, json, type ServedRoute, serve } from "../route/index.ts";

const tag = "Prompts";
const enabled = v.pipe(v.boolean(), v.description("False: prompts are not captured."));

const callSchema = v.object({
  call_index: v.pipe(v.number(), v.description("1 for the turn's first.")),
  task_id: v.string(),
  ts: v.string(),
  model: v.string(),
  reasoning_effort: v.pipe(
    v.nullable(v.string()),
    v.description("The effort it was sent with; null: none, so the provider's own."),
  ),
  system: v.object({
    stable: v.pipe(v.string(), v.description("The part that is the same in every call.")),
    context: v.pipe(v.string(), v.description("What this conversation adds.")),
    wire_differs: v.boolean(),
    wire: v.string(),
  }),
  sections: v.array(
    v.object({
      label: v.string(),
      chars: v.number(),
      approx_tokens: v.number(),
      scope: v.picklist(["stable", "session", "turn"]),
    }),
  ),
  last_message: v.pipe(
    v.nullable(v.string()),
    v.description("The newest message of the conversation it was sent; null where the conversation is not kept."),
  ),
  subagent_type: v.nullable(v.string()),
  usage: v.nullable(
    v.object({
      input_tokens: v.number(),
      output_tokens: v.number(),
      cache_read_tokens: v.number(),
      cache_creation_tokens: v.number(),
    }),
  ),
});

const messageSchema = v.pipe(
  v.object({
    id: v.string(),
    prior: v.pipe(v.nullable(v.string()), v.description("The message before it; null for the first.")),
    role: v.picklist(["user", "assistant", "tool"]),
    text: v.string(),
    images: v.pipe(
      v.optional(v.array(v.object({ media_type: v.string(), bytes: v.number() }))),
      v.description("Images in it, which are not kept themselves."),
    ),
    tool_calls: v.optional(v.array(v.object({ id: v.string(), name: v.string(), args: v.string() }))),
    call_id: v.pipe(v.optional(v.string()), v.description("Of a tool's result: its call.")),
    tool: v.optional(v.string()),
  }),
  v.description("A message that a model was sent."),
);
const messagesSchema = v.pipe(
  v.array(messageSchema),
  v.description(
    "What the calls were sent, each message once, the oldest first: follow `prior` from a call's `last_message`. The newest 5000 messages and 4 MiB; where `prior` names none of them, earlier ones are left out.",
  ),
);

const retentionSchema = v.object({
  retention_days: v.pipe(v.number(), v.description("0: for ever.")),
  max_calls: v.pipe(v.number(), v.description("0: all.")),
  calls: v.number(),
  oldest_ts: v.nullable(v.string()),
  newest_ts: v.nullable(v.string()),
  effective_days: v.pipe(
    v.nullable(v.number()),
    v.description("Days that calls are kept as things are; null: for ever."),
  ),
  binding_cap: v.pipe(
    v.nullable(v.picklist(["retention_days", "max_calls"])),
    v.description("The bound that removes first; null: none."),
  ),
});

export const readLastPrompt = defineRoute({
  name: "prompts.last",
  method: "GET",
  path: "/api/prompts/last",
  tag,
  summary: "The newest captured model call, and how long calls are kept",
  query: v.object({ session_id: v.optional(v.pipe(v.string(), v.maxLength(512), v.description("Of this session."))) }),
  reply: json(v.object({ enabled, call: v.optional(callSchema), retention: v.optional(retentionSchema) })),
});

export const readPrompts = defineRoute({
  name: "prompts.read",
  method: "GET",
  path: "/api/prompts/{task_id}",
  tag,
  summary: "The captured model calls of a turn, in order",
  reply: json(
    v.object({
      enabled,
      calls: v.optional(v.array(callSchema)),
      messages: v.optional(messagesSchema),
      subagents: v.optional(
        v.array(v.object({ task_id: v.string(), calls: v.array(callSchema), messages: messagesSchema })),
      ),
      prev: v.pipe(v.optional(v.string()), v.description("The turn before it in its session.")),
    }),
  ),
  failures: { 404: "No model call of such a turn is kept." },
});

type PromptCall = Frozen<v.InferInput<typeof callSchema>>;
type PromptMessages = Frozen<v.InferInput<typeof messagesSchema>>;

/** The calls of a turn. */
export interface PromptsOfTask {
  readonly calls: readonly PromptCall[];
  readonly messages: PromptMessages;
  readonly prev: string | undefined;
  /** Those of the tasks it delegated to. */
  readonly subagents: readonly {
    readonly task_id: string;
    readonly calls: readonly PromptCall[];
    readonly messages: PromptMessages;
  }[];
}

/** Implemented by the service. */
export interface PromptsService {
  /** Whether calls are captured now. */
  enabled(): boolean;
  ofTask(task: string): Promise<PromptsOfTask | undefined>;
  last(session?: string): Promise<PromptCall | undefined>;
  retention(): Promise<Frozen<v.InferInput<typeof retentionSchema>>>;
}

export function promptsRoutes(prompts: PromptsService): readonly ServedRoute[] {
  return [
    serve(readLastPrompt, async ({ query }) => {
      if (!prompts.enabled()) return { enabled: false };
      const [call, retention] = await Promise.all([prompts.last(query.session_id), prompts.retention()]);
      return { enabled: true, retention, ...(call === undefined ? {} : { call }) };
    }),
    serve(readPrompts, async ({ params }) => {
      if (!prompts.enabled()) return { enabled: false };
      const turn = await prompts.ofTask(params.task_id);
      if (turn === undefined) throw new Problem(404, "No model call of such a turn is kept.");
      const { calls, messages, prev, subagents } = turn;
      return { enabled: true, calls, messages, subagents, ...(prev === undefined ? {} : { prev }) };
    }),
  ];
}

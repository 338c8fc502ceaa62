import type { TaskView } from "@agent-service/agent-core/host";
import * as v from "valibot";
import type { Frozen } from "../route/index.ts";
import { a2aStateOf, taskStateSchema } from "../task-state/index.ts";

/** A time of the engine on the wire (N4). */
export function iso(at: number): string {
  return new Date(at).toISOString();
}

/** Tokens of model calls. */
export const usageSchema = v.object({
  input_tokens: v.number(),
  output_tokens: v.number(),
  cache_read_tokens: v.number(),
  cache_creation_tokens: v.number(),
});

/** The engine's account of tokens on the wire. */
export function usageOf(usage: TaskView["usage"]): v.InferInput<typeof usageSchema> {
  return {
    input_tokens: usage.input,
    output_tokens: usage.output,
    cache_read_tokens: usage.cacheRead,
    cache_creation_tokens: usage.cacheWrite,
  };
}

/** One line of the list of tasks. */
export const taskRowSchema = v.object({
  task_id: v.string(),
  session_id: v.string(),
  class: v.pipe(v.string(), v.description("Whose it is: `operator` or `federation`.")),
  origin: v.pipe(v.string(), v.description("What it came from: `a2a`, `chat`, `v1`, `background`, `subagent`…")),
  parent_task_id: v.pipe(v.nullable(v.string()), v.description("The task whose call started it.")),
  parent_call_id: v.pipe(v.nullable(v.string()), v.description("The call of the parent's that started it.")),
  role: v.pipe(v.nullable(v.string()), v.description("The role a subagent runs in.")),
  state: taskStateSchema,
  status: v.pipe(v.nullable(v.string()), v.description("Why it failed, or what limit cut it.")),
  input: v.pipe(v.string(), v.description("The first 300 characters of its input; empty where it is incognito.")),
  incognito: v.pipe(v.boolean(), v.description("Nothing of it stays once its session ends.")),
  created_at: v.string(),
  last_updated: v.string(),
  model_calls: v.number(),
  tool_calls: v.number(),
  usage: usageSchema,
  cost_usd: v.pipe(
    v.nullable(v.number()),
    v.description("US dollars, estimated; null while it runs and where a price is not known."),
  ),
  duration_ms: v.pipe(v.nullable(v.number()), v.description("Null until it ended.")),
});

/** A task that a call of another started. */
export const childSchema = v.object({ task_id: v.string(), origin: v.string(), state: taskStateSchema });

const INPUT_CHARS = 300;

export function taskRowOf(view: Readonly<TaskView>): Frozen<v.InferInput<typeof taskRowSchema>> {
  return {
    task_id: view.id,
    session_id: view.context,
    class: view.class,
    origin: view.origin,
    parent_task_id: view.parent?.task ?? null,
    parent_call_id: view.parent?.call ?? null,
    role: view.role ?? null,
    state: a2aStateOf(view.state),
    status: view.failure?.message ?? view.note ?? null,
    input: isIncognito(view) ? "" : inputOf(view),
    incognito: isIncognito(view),
    created_at: iso(view.createdAt),
    last_updated: iso(view.statusAt),
    model_calls: view.steps,
    tool_calls: view.toolCalls.length,
    usage: usageOf(view.usage),
    cost_usd: view.costUsd ?? null,
    duration_ms: view.durationMs ?? null,
  };
}

function isIncognito({ history: [first] }: Readonly<TaskView>): boolean {
  return first?.from === "caller" && first.message.metadata?.incognito === true;
}

function inputOf({ history: [first] }: Readonly<TaskView>): string {
  if (first?.from !== "caller") return "";
  const texts = first.message.parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  return texts.join("\n").slice(0, INPUT_CHARS);
}

import * as v from "valibot";
import { inputRequiredSchema } from "../chat/index.ts";
import { readKey } from "../idempotency/index.ts";
import { defineRoute, type Frozen, json, type ServedRoute, serve } from "../route/index.ts";
import { taskStateSchema } from "../task-state/index.ts";

const toolSchema = v.object({
  name: v.string(),
  description: v.pipe(v.string(), v.description("The first line of what the model reads.")),
  source: v.picklist(["core", "plugin", "mcp"]),
  category: v.pipe(v.string(), v.description("The subsystem, plugin or MCP server that brings it.")),
  enabled: v.pipe(v.boolean(), v.description("False: the agent does not have it now.")),
  deferred: v.pipe(v.boolean(), v.description("The model is shown it once it has searched for it.")),
  blocked: v.pipe(v.boolean(), v.description("It is never run (enforcement.disallowed_tools).")),
  operator_only: v.pipe(
    v.boolean(),
    v.description("Turns of peers, whatever their skill or role, do not have it: to them it does not exist."),
  ),
  requires_approval: v.pipe(
    v.boolean(),
    v.description("The operator approves every call first (enforcement.require_approval)."),
  ),
});

const listSchema = v.object({
  tools: v.array(toolSchema),
  count: v.pipe(v.number(), v.description("Of those that are enabled.")),
  disabled: v.pipe(v.array(v.string()), v.description("`tools.disabled` as it is written.")),
});

export const listTools = defineRoute({
  name: "tools.list",
  method: "GET",
  path: "/api/tools",
  tag: "Tools",
  summary: "The tools of the agent, without hidden ones",
  reply: json(listSchema),
});

/** Characters of a session's name. */
const MAX_SESSION = 512;

const callBodySchema = v.object({
  args: v.pipe(
    v.optional(v.unknown(), {}),
    v.description("The arguments, an object. They are checked as a model's are."),
  ),
  session_id: v.pipe(
    v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_SESSION))),
    v.description("The session it is made in, and shown in. Absent: one of its own, which no list of sessions has."),
  ),
});

/** How a direct call stands. */
export const callReplySchema = v.object({
  task_id: v.string(),
  session_id: v.string(),
  state: taskStateSchema,
  outcome: v.pipe(
    v.optional(v.picklist(["ok", "error", "denied", "aborted", "unknown"])),
    v.description(
      "How the call ended. `denied`: settings or a person forbade it; `unknown`: it may have happened. Absent until then.",
    ),
  ),
  result: v.pipe(v.optional(v.string()), v.description("What a model would read of it. Absent until the call ended.")),
  input_required: v.pipe(
    v.optional(inputRequiredSchema),
    v.description("What is asked, while it waits for a person: decide with `POST /api/approvals/{prompt_id}`."),
  ),
});

export const callTool = defineRoute({
  name: "tools.call",
  method: "POST",
  path: "/api/tools/{name}/call",
  tag: "Tools",
  decides: true,
  summary: "Calls a tool without a model",
  description:
    "A task like any: settings and approvals hold for it, it is journaled, and continues after a restart. It waits 30 seconds for the end. Repeated with its `Idempotency-Key` it waits on: the call is made once. No model is asked, so it uses no tokens.",
  params: { name: "Of the tool." },
  body: callBodySchema,
  bodyOptional: true,
  reply: json(callReplySchema),
  idempotency: "own",
  failures: {
    404: "The agent has no such tool now, or there is no such session.",
    409: "This Idempotency-Key was used for a different request.",
    429: "Too much waits here already; see Retry-After.",
  },
  example: { body: { args: { expression: "2 + 3" } } },
});

/** A call that the operator asks for. */
export interface AskedCall {
  readonly tool: string;
  readonly args: unknown;
  readonly session: string | undefined;
  readonly key: string | undefined;
  readonly traceparent: string | undefined;
}

/** Implemented by the service. */
export interface ToolsService {
  list(): Frozen<v.InferInput<typeof listSchema>>;
  /** Makes a call and waits for its end for a while. The signal ends the waiting alone. @throws Problem */
  call(asked: AskedCall, signal: AbortSignal): Promise<Frozen<v.InferInput<typeof callReplySchema>>>;
}

export function toolsRoutes(tools: ToolsService): readonly ServedRoute[] {
  return [
    serve(listTools, () => tools.list()),
    serve(callTool, ({ params, body, headers, signal }) => {
      const { args, session_id: session } = body;
      const traceparent = headers.get("traceparent") ?? undefined;
      return tools.call({ tool: params.name, args, session, key: readKey(headers), traceparent }, signal);
    }),
  ];
}

import * as v from "valibot";
import { readKey } from "../idempotency/index.ts";
import { cursorOf, pageFields, pageQuery } from "../paging/index.ts";
import { Problem } from "../problem/index.ts";
import { defineRoute, type Frozen, json, type ServedRoute, serve } from "../route/index.ts";
import { callReplySchema } from "../tools/index.ts";
import { timestamp } from "./schema.ts";

const tag = "MCP";
const params = { call: "Of the call." } as const;
const outcome = v.pipe(
  v.picklist(["ok", "error", "denied", "unknown", "canceled", "open"]),
  v.description(
    "`denied`: settings or a person forbade it. `unknown`: it may have happened. `open`: it runs, or waits for a person.",
  ),
);
const ms = v.pipe(v.nullable(v.number()), v.description("Null while it is open."));

const callSchema = v.object({
  call_id: v.string(),
  task_id: v.string(),
  session_id: v.pipe(v.string(), v.description("The conversation; a direct call without one has one of its own.")),
  tool: v.pipe(v.string(), v.description("The server's own name of it.")),
  outcome,
  ms,
  bytes: v.pipe(v.number(), v.description("Of the result.")),
  approx_tokens: v.number(),
  at: timestamp,
  caller: v.pipe(v.picklist(["operator", "peer"]), v.description("Whose turn made it.")),
  direct: v.pipe(v.boolean(), v.description("It was made without a model.")),
  incognito: v.pipe(v.boolean(), v.description("It is gone once its session ends.")),
  parent_call: v.pipe(v.optional(v.string()), v.description("The call of a script that made it.")),
});

const argsText = v.pipe(v.string(), v.description("As JSON, without secrets. Blank: they were removed with its turn."));
const resultText = v.pipe(
  v.nullable(v.string()),
  v.description("What the model read, its first 65,536 characters, without secrets."),
);

const oneCallSchema = v.object({
  ...callSchema.entries,
  server: v.string(),
  full_name: v.pipe(v.string(), v.description("What the model knows the tool as.")),
  args: argsText,
  result: resultText,
  confirm: v.pipe(v.boolean(), v.description("The tool may have effects: a replay needs `confirm`.")),
  refusal: v.pipe(v.nullable(v.string()), v.description("Why it cannot be replayed, and what to do instead.")),
});

const replayBody = v.object({
  confirm: v.pipe(
    v.optional(v.boolean()),
    v.description("Makes the call although its tool may have effects, which then happen once more."),
  ),
});

const replaySchema = v.object({
  ...{ call_id: v.string(), server: v.string(), tool: v.string(), args: argsText },
  before: v.object({ outcome, result: resultText, ms, at: timestamp }),
  after: v.pipe(callReplySchema, v.description("The new call, as `POST /api/tools/{name}/call` answers it.")),
  same: v.pipe(
    v.nullable(v.boolean()),
    v.description("Both ended in the same way with the same result. Null until the new one ended."),
  ),
});

export const listCalls = defineRoute({
  name: "mcp.calls",
  method: "GET",
  path: "/api/mcp/servers/{name}/calls",
  tag,
  summary: "The calls of a server's tools that the journal has, newest first",
  description:
    "Those of turns, of scripts and direct ones, also from before a restart. What retention or the end of an incognito session removed is not among them.",
  params: { name: "Of the server." },
  query: pageQuery(v.tuple([v.number(), v.string()])),
  reply: json(v.object({ calls: v.array(callSchema), ...pageFields })),
  failures: { 404: "There is no such server." },
});

export const readCall = defineRoute({
  name: "mcp.call",
  method: "GET",
  path: "/api/mcp/calls/{call}",
  tag,
  summary: "A call of a server's tool with what was sent and what came back",
  params,
  reply: json(oneCallSchema),
  failures: { 404: "There is no such call of an MCP server's tool." },
});

export const replayCall = defineRoute({
  name: "mcp.replay",
  method: "POST",
  path: "/api/mcp/calls/{call}/replay",
  tag,
  decides: true,
  summary: "Makes a recorded call once more, and shows both results",
  description: `A direct call with the arguments of the recorded one, to the server as it is now: settings and approvals hold for it, and it is a call
of the list itself. It waits 30 seconds for the end; repeated with its \`Idempotency-Key\` it waits on, and the call is made once.`,
  params,
  body: replayBody,
  bodyOptional: true,
  reply: json(replaySchema),
  idempotency: "own",
  failures: {
    404: "There is no such call of an MCP server's tool, or the agent does not have the tool now.",
    409: "It cannot be replayed, needs `confirm`, or this Idempotency-Key was used for a different request.",
    429: "Too much waits here already; see Retry-After.",
  },
});

type Call = Frozen<v.InferInput<typeof callSchema>>;
type OneCall = Frozen<v.InferInput<typeof oneCallSchema>>;

/** A call that is to be made once more. */
export interface AskedReplay {
  readonly call: string;
  readonly isConfirmed: boolean;
  readonly key: string | undefined;
  readonly traceparent: string | undefined;
}

/** The calls of servers' tools. Refuses by throwing `Problem`; no call was made then. */
export interface McpCallService {
  /** Of a server, newest first. */
  calls(
    name: string,
    page: { readonly limit: number; readonly before?: { readonly at: number; readonly callId: string } },
  ): Promise<readonly Call[]>;
  /** Undefined: there is none. */
  call(call: string): Promise<OneCall | undefined>;
  /** Waits for the end for a while; the signal ends the waiting alone. */
  replay(asked: AskedReplay, signal: AbortSignal): Promise<Frozen<v.InferInput<typeof replaySchema>>>;
}

export function callRoutes(mcp: McpCallService): readonly ServedRoute[] {
  return [
    serve(listCalls, async ({ params: { name }, query: { limit, cursor } }) => {
      const [at, callId] = cursor ?? [];
      const before = at === undefined || callId === undefined ? undefined : { at, callId };
      const calls = await mcp.calls(name, { limit: limit + 1, ...(before !== undefined && { before }) });
      const page = calls.slice(0, limit);
      const last = calls.length > limit ? page.at(-1) : undefined;
      return { calls: page, next_cursor: cursorOf(last && [Date.parse(last.at), last.call_id]) };
    }),
    serve(readCall, async ({ params: { call } }) => {
      const found = await mcp.call(call);
      if (found === undefined)
        throw new Problem(404, "There is no such call; GET /api/mcp/servers/{name}/calls lists them.");
      return found;
    }),
    serve(replayCall, ({ params: { call }, body, headers, signal }) => {
      const traceparent = headers.get("traceparent") ?? undefined;
      return mcp.replay({ call, isConfirmed: body.confirm === true, key: readKey(headers), traceparent }, signal);
    }),
  ];
}

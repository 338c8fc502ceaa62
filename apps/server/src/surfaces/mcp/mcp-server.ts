/** The server of one request: the SDK makes one for each, of the client's era. */

import { createHash } from "node:crypto";
import { isTerminalState } from "@agent-service/agent-core/host";
import type {
  CallToolRequest,
  CallToolResult,
  RequestStateCodec,
  Server,
  ServerContext,
} from "@modelcontextprotocol/server";
import type { RouteCall } from "../../access/index.ts";
import type { RunningHost } from "../../service-feature/index.ts";
import { formOf, replyOfForm } from "./elicitation.ts";
import type { ServerSdk } from "./load-sdk.ts";
import type { McpCalls } from "./mcp-calls.ts";
import { createdTask, serveTasks, TASKS, takesTasks } from "./mcp-tasks.ts";
import { errorResult } from "./tool-result.ts";
import { isWork, pendingResult, resultOfWork, type Work, type WorkKind } from "./work.ts";

/** What comes back with the answer to a form: which task asked it. */
interface AskedState {
  readonly task: string;
  readonly prompt: string;
  readonly kind: WorkKind;
  readonly later: string;
  /** Of the call that it belongs to: it goes on with no other. */
  readonly call: string;
}

export interface McpServerParts {
  readonly sdk: ServerSdk;
  readonly host: RunningHost;
  readonly calls: McpCalls;
  readonly states: RequestStateCodec;
}

/** The key of the one form of a round. */
const FORM = "answer";

export function mcpServer(parts: McpServerParts, call: RouteCall, era: "legacy" | "modern"): Server {
  const { sdk, host, calls, states } = parts;
  const { version, settings } = host;
  const server = new sdk.Server(
    { name: settings.identity.name, version },
    {
      capabilities: { tools: {}, ...(era === "modern" && { extensions: { [TASKS]: {} } }) },
      instructions: "An agent: ask_agent sends it a message. The other tools read and change what its operator sees.",
      requestState: { verify: states.verify },
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: [...calls.tools()] }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const state = context.mcpReq.requestState<AskedState>();
    if (state !== undefined && state.call !== digestOf(params))
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, "The requestState belongs to another call.");
    const made =
      state === undefined ? await begin(parts, params, { call, context }) : await goOn(parts, state, { call, context });
    if (!isWork(made)) return made;
    // Only in the newer era does a form end its request, so only there it can wait for days.
    const client = era === "modern" ? server.getClientCapabilities() : undefined;
    const by = { takesForms: client?.elicitation !== undefined, takesTasks: takesTasks(client) };
    return settle(parts, made, { context, digest: digestOf(params), ...by });
  });
  if (era === "modern") serveTasks(server, parts, call);
  return server;
}

/** Names a call by what it asks for, in whatever order its members come. */
function digestOf({ name, arguments: args = {} }: CallToolRequest["params"]): string {
  const sorted = (_: string, value: unknown): unknown =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value;
  return createHash("sha256")
    .update(JSON.stringify([name, args], sorted))
    .digest("base64url");
}

interface Exchange {
  readonly call: RouteCall;
  readonly context: ServerContext;
}

async function begin(
  { sdk, calls }: McpServerParts,
  params: CallToolRequest["params"],
  { call, context }: Exchange,
): Promise<CallToolResult | Work> {
  const { signal, _meta } = context.mcpReq;
  const traceparent = typeof _meta?.traceparent === "string" ? _meta.traceparent : undefined;
  const made = await calls.make({ name: params.name, args: params.arguments ?? {}, call, signal, traceparent });
  if (made === undefined) throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, "There is no such tool.");
  return made;
}

/** Takes the answer to a form. One that was answered elsewhere meanwhile is not answered again. */
async function goOn(
  { host, calls }: McpServerParts,
  { task: id, prompt: asked, kind, later }: AskedState,
  { call, context }: Exchange,
): Promise<CallToolResult | Work> {
  const task = await host.core.service.get(id);
  if (task === undefined) return errorResult("The task was deleted with its session.");
  const prompt = task.view.prompts.find(({ promptId }) => promptId === asked);
  const work: Work = { kind, task, later };
  if (prompt === undefined) return work;
  const response = context.mcpReq.inputResponses?.[FORM];
  // Without an answer it is asked again.
  if (response === undefined) return work;
  const data = replyOfForm(prompt, response);
  if (data === undefined) return pendingResult(work);
  return (await calls.answer(id, data, call)) ?? work;
}

interface Settling {
  readonly context: ServerContext;
  /** Of the call. */
  readonly digest: string;
  readonly takesForms: boolean;
  readonly takesTasks: boolean;
}

/** Waits for a task, and asks the client's person where it can. */
async function settle(
  { sdk, host, calls, states }: McpServerParts,
  work: Work,
  { context, digest, takesForms, takesTasks: isPolled }: Settling,
) {
  const { signal, _meta, notify } = context.mcpReq;
  const token = _meta?.progressToken;
  const progress =
    token === undefined
      ? undefined
      : (count: number) =>
          notify({
            method: "notifications/progress",
            params: { progressToken: token, progress: count, message: "working" },
          });
  const view = await calls.wait(work.task, { signal, progress, isPolled });
  if (isTerminalState(view.state)) return resultOfWork(host.core, work.kind, view);
  // A handle outlives the connection and a restart; it is the form too.
  if (isPolled) return createdTask(work.kind, work.task) as unknown as CallToolResult;
  const [prompt] = view.state === "parked" ? view.prompts : [];
  const form = takesForms && prompt ? formOf(prompt, view.rejection) : undefined;
  if (prompt === undefined || form === undefined) return pendingResult(work);
  const state: AskedState = {
    task: view.id,
    prompt: prompt.promptId,
    kind: work.kind,
    later: work.later,
    call: digest,
  };
  return sdk.inputRequired({
    inputRequests: { [FORM]: sdk.inputRequired.elicit(form) },
    requestState: await states.mint(state, context),
  });
}

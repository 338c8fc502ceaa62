/** The extension `io.modelcontextprotocol/tasks` of the 2026 era: work that takes longer has a handle that is polled (M17). */
import { isTerminalState, OPERATOR_CLASS, type TaskHandle } from "@agent-service/agent-core/host";
import type { ClientCapabilities, Server } from "@modelcontextprotocol/server";
import * as v from "valibot";
import type { RouteCall } from "../../access/index.ts";
import type { RunningHost } from "../../service-feature/index.ts";
import { formOf, replyOfForm } from "./elicitation.ts";
import type { ServerSdk } from "./load-sdk.ts";
import type { McpCalls } from "./mcp-calls.ts";
import { pendingText, resultOfWork, type WorkKind } from "./work.ts";

/** The extension's name. */
export const TASKS = "io.modelcontextprotocol/tasks";

const POLL_MS = 1_000;
const MAX_ID = 200;

const idSchema = v.object({ taskId: v.pipe(v.string(), v.maxLength(MAX_ID)) });

export interface McpTasksParts {
  readonly sdk: Pick<ServerSdk, "ProtocolError" | "ProtocolErrorCode">;
  readonly host: RunningHost;
  readonly calls: McpCalls;
}

/** Whether a client takes a task in place of a result. */
export function takesTasks(capabilities: ClientCapabilities | undefined): boolean {
  return capabilities?.extensions?.[TASKS] !== undefined;
}

/** The handle of a task. Its id says what its result is made of. */
export function createdTask(kind: WorkKind, task: TaskHandle) {
  return { resultType: "task", ...stateOf(kind, task), status: "working", pollIntervalMs: POLL_MS };
}

/** Answers what is asked about tasks that this endpoint started, and about no others. */
export function serveTasks(server: Server, { sdk, host, calls }: McpTasksParts, call: RouteCall): void {
  const find = async (taskId: string): Promise<{ readonly kind: WorkKind; readonly task: TaskHandle }> => {
    const [kind, id = ""] = taskId.split(".");
    const task = kind === "ask" || kind === "call" ? await host.core.service.get(id) : undefined;
    const isOurs = task?.view.class === OPERATOR_CLASS && task.view.origin === "operator";
    if (task === undefined || !isOurs)
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, "There is no such task.");
    return { kind: kind as WorkKind, task };
  };

  server.setRequestHandler("tasks/get", { params: idSchema }, async ({ taskId }) => {
    const { kind, task } = await find(taskId);
    const { view } = task;
    const state = stateOf(kind, task);
    if (view.state === "canceled") return { ...state, status: "cancelled" };
    if (isTerminalState(view.state))
      return { ...state, status: "completed", result: await resultOfWork(host.core, kind, view) };
    const [prompt] = view.state === "parked" ? view.prompts : [];
    if (prompt === undefined) return { ...state, status: "working", pollIntervalMs: POLL_MS };
    const takesForms = server.getClientCapabilities()?.elicitation !== undefined;
    const form = takesForms ? formOf(prompt, view.rejection) : undefined;
    const waiting = { ...state, statusMessage: pendingText(view), pollIntervalMs: POLL_MS };
    if (form === undefined) return { ...waiting, status: "working" };
    const request = { method: "elicitation/create", params: { mode: "form", ...form } };
    return { ...waiting, status: "input_required", inputRequests: { [prompt.promptId]: request } };
  });

  server.setRequestHandler("tasks/update", { params: idSchema }, async ({ taskId }, { mcpReq }) => {
    const { task } = await find(taskId);
    // Of prompts that wait no more, and of others' names, nothing is taken.
    for (const prompt of task.view.prompts) {
      const data = replyOfForm(prompt, mcpReq.inputResponses?.[prompt.promptId]);
      const refused = data && (await calls.answer(task.id, data, call));
      const [first] = refused?.content ?? [];
      if (first?.type === "text") throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, first.text);
    }
    return {};
  });

  server.setRequestHandler("tasks/cancel", { params: idSchema }, async ({ taskId }) => {
    const { task } = await find(taskId);
    await host.core.service.cancel(task.id);
    return {};
  });
}

function stateOf(kind: WorkKind, { view }: TaskHandle) {
  const [createdAt, lastUpdatedAt] = [view.createdAt, view.statusAt].map((at) => new Date(at).toISOString());
  return { taskId: `${kind}.${view.id}`, createdAt, lastUpdatedAt, ttlMs: null };
}

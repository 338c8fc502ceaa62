/** A tool whose call is a task (`io.modelcontextprotocol/tasks`): its client gets a handle, and asks for the result. */
import { randomUUID } from "node:crypto";
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type McpServer,
  type RegisteredTool,
} from "@modelcontextprotocol/server";
import { z } from "zod";

export const TASKS = "io.modelcontextprotocol/tasks";

const PAGE_MS = 1_000;
const POLL_MS = 1_000;

/** What a client says with every request that can deal with tasks. */
const followsTasks = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z.object({ extensions: z.object({ [TASKS]: z.object({}) }) }),
});

/** A print that runs, or ran. How far it is follows from the time. */
export interface Print {
  readonly pages: number;
  readonly startedAt: number;
  isCanceled: boolean;
}

function stateOf(taskId: string, print: Print) {
  const printed = Math.min(Math.floor((Date.now() - print.startedAt) / PAGE_MS), print.pages);
  const lastUpdatedAt = new Date().toISOString();
  const task = { taskId, createdAt: new Date(print.startedAt).toISOString(), lastUpdatedAt, ttlMs: null };
  if (print.isCanceled) return { ...task, status: "cancelled" };
  if (printed === print.pages)
    return { ...task, status: "completed", result: { content: [{ type: "text", text: `printed ${printed} pages` }] } };
  return { ...task, status: "working", pollIntervalMs: POLL_MS, statusMessage: `${printed} of ${print.pages} pages` };
}

export function addTaskTools(
  server: McpServer,
  prints: Map<string, Print>,
  description: string,
): Record<string, RegisteredTool> {
  const params = z.object({ taskId: z.string() });
  const find = (taskId: string): Print => {
    const print = prints.get(taskId);
    if (print === undefined) throw Object.assign(new Error("There is no such task."), { code: -32_602 });
    return print;
  };
  server.server.setRequestHandler("tasks/get", { params }, ({ taskId }) => stateOf(taskId, find(taskId)));
  server.server.setRequestHandler("tasks/update", { params }, () => ({}));
  server.server.setRequestHandler("tasks/cancel", { params }, ({ taskId }) => {
    find(taskId).isCanceled = true;
    return {};
  });

  const print_pages = server.registerTool(
    "print_pages",
    {
      description,
      inputSchema: z.object({ pages: z.number().int().min(1).max(600) }),
      annotations: { destructiveHint: false },
    },
    ({ pages }, { mcpReq }) => {
      if (!followsTasks.safeParse(mcpReq.envelope).success)
        return { content: [{ type: "text", text: "this client does not follow tasks" }], isError: true };
      const taskId = randomUUID();
      const print = { pages, startedAt: Date.now(), isCanceled: false };
      prints.set(taskId, print);
      // The SDK's type of a result knows no tasks.
      return { resultType: "task", ...stateOf(taskId, print) } as unknown as CallToolResult;
    },
  );
  return { print_pages };
}

import { A2AError } from "../../error/index.ts";
import type { ListTasksRequest, Task } from "../../task/index.ts";
import type { EndpointParts, Exchange } from "../exchange/exchange.ts";
import type { TaskQuery } from "../executor.ts";
import { jsonReply } from "./json-reply.ts";

/** Default tasks of a page (A2A 1.0.1 "ListTasksRequest"). */
const PAGE_SIZE = 50;

/**
 * Answers a list of tasks. What a caller did not ask for is left out whatever the executor brings: the key `artifacts`
 * is absent, not empty (R10-3.1.4-1).
 */
export async function listReply(parts: EndpointParts, exchange: Exchange, params: unknown): Promise<Response> {
  const { executor } = parts;
  if (executor.list === undefined) {
    throw new A2AError("UNSUPPORTED_OPERATION", "This agent does not list its tasks");
  }
  const request = exchange.dialect.read.list(params);
  const page = await executor.list(queryOf(request), exchange.call);
  const tasks = page.tasks.map((task) => cut(task, request));
  return jsonReply(parts, exchange, exchange.dialect.tasks({ ...page, tasks }));
}

function queryOf(request: ListTasksRequest): TaskQuery {
  const {
    contextId,
    status,
    pageSize = PAGE_SIZE,
    pageToken,
    historyLength,
    statusTimestampAfter,
    includeArtifacts,
  } = request;
  return {
    ...(contextId !== undefined && { contextId }),
    ...(status !== undefined && { status }),
    pageSize,
    ...(pageToken !== undefined && { pageToken }),
    ...(statusTimestampAfter !== undefined && { statusSince: Date.parse(statusTimestampAfter) }),
    ...(historyLength !== undefined && { historyLength }),
    includeArtifacts: includeArtifacts === true,
  };
}

function cut({ artifacts, history, ...task }: Task, { historyLength, includeArtifacts }: ListTasksRequest): Task {
  const shown = historyLength === undefined || history === undefined ? history : history.slice(-historyLength);
  return {
    ...task,
    ...(includeArtifacts === true && artifacts && { artifacts }),
    ...(historyLength !== 0 && shown && { history: shown }),
  };
}

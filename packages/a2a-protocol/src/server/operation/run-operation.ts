/** What each operation does, the same under every method name and binding. */
import { type AgentCard, cardTextResponse } from "../../agent-card/index.ts";
import { A2AError, taskNotFound } from "../../error/index.ts";
import { isTerminal } from "../../task/index.ts";
import type { Operation } from "../dialect/dialect.ts";
import type { EndpointParts, Exchange } from "../exchange/exchange.ts";
import { jsonReply, withTask } from "./json-reply.ts";
import { listReply } from "./list-reply.ts";
import { pushReply } from "./push-reply.ts";
import { sendReply } from "./send-reply.ts";
import { messageStreamReply, taskStreamReply } from "./stream-reply.ts";

/** Answers an operation with its params, of any value. Throws `A2AError` and what the executor throws. */
export function runOperation(
  parts: EndpointParts,
  exchange: Exchange,
  operation: Operation,
  params: unknown,
  card: (request: Request) => AgentCard,
): Response | Promise<Response> {
  const { read } = exchange.dialect;
  switch (operation) {
    case "send":
      return sendReply(parts, exchange, read.send(params));
    case "stream":
      return messageStreamReply(parts, exchange, read.send(params));
    case "subscribe":
      return taskStreamReply(parts, exchange, read.subscribe(params));
    case "get":
      return getReply(parts, exchange, params);
    case "cancel":
      return cancelReply(parts, exchange, params);
    case "card":
      return cardReply(parts, exchange, card(exchange.request));
    case "list":
      return listReply(parts, exchange, params);
    default:
      return pushReply(parts, exchange, operation, params);
  }
}

/** The extended card; where it is a resource of its own, its caller's cache may keep it (A2A 1.0.1, 13.3). */
function cardReply(parts: EndpointParts, exchange: Exchange, card: AgentCard): Response {
  const text = exchange.dialect.card(card);
  if (exchange.idJson !== undefined) return jsonReply(parts, exchange, text);
  return cardTextResponse(exchange.request, text, { isPrivate: true, headers: exchange.headers });
}

async function getReply(parts: EndpointParts, exchange: Exchange, params: unknown): Promise<Response> {
  const { id, historyLength } = exchange.dialect.read.get(params);
  const reading = await parts.executor.read(id, exchange.call);
  if (reading === undefined) throw taskNotFound(id);
  return withTask(parts, reading, () =>
    jsonReply(parts, exchange, exchange.dialect.task(reading.now.task, historyLength)),
  );
}

/**
 * A8: the executor leaves a terminal task as it is. 0.3 gets the Task either way, 1.0 only where it is canceled now, by
 * this or another request.
 */
async function cancelReply(parts: EndpointParts, exchange: Exchange, params: unknown): Promise<Response> {
  const { id } = exchange.dialect.read.cancel(params);
  const { task } = (await parts.executor.cancel(id, exchange.call)).now;
  const { state } = task.status;
  if (exchange.call.version === "1.0" && isTerminal(state) && state !== "TASK_STATE_CANCELED") {
    throw new A2AError("TASK_NOT_CANCELABLE", `The task is over already: ${state}`);
  }
  return jsonReply(parts, exchange, exchange.dialect.task(task));
}

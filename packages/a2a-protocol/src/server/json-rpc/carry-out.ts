import type { AgentCard } from "../../agent-card/index.ts";
import { isStreaming, type Operation } from "../dialect/dialect.ts";
import type { EndpointParts, Exchange } from "../exchange/exchange.ts";
import { acceptMessage } from "../operation/accept-message.ts";
import { runOperation } from "../operation/run-operation.ts";

/**
 * Carries out a JSON-RPC notification: a request without an answer (A4). A message is accepted and its task
 * runs by itself: nothing waits for it and nothing streams. Throws as `runOperation`.
 */
export async function carryOut(
  parts: EndpointParts,
  exchange: Exchange,
  operation: Operation,
  params: unknown,
  card: (request: Request) => AgentCard,
): Promise<Response> {
  const { request, call, dialect } = exchange;
  const refusal = isStreaming(operation) ? parts.guardStream?.(request) : undefined;
  if (refusal !== undefined) return refusal;
  if (operation === "send" || operation === "stream") {
    await acceptMessage(parts.executor, dialect.read.send(params), call, request.headers.get("idempotency-key"));
  } else if (operation !== "subscribe") {
    const unread = await runOperation(parts, exchange, operation, params, card);
    await unread.body?.cancel();
  }
  return new Response(null, { status: 204 });
}

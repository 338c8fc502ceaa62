/**
 * The JSON-RPC endpoint (B16): one POST in, one JSON-RPC response or event stream out. It
 * holds no state but the number of open streams; everything it sends of a task it reads through the executor.
 */
import { A2AError } from "../../error/index.ts";
import { isJsonContentType, parseRequest, readBody } from "../../json-rpc/index.ts";
import { isStreaming, type Operation } from "../dialect/dialect.ts";
import { dialectOf, versionAsked, versionNotSupported } from "../dialect/negotiate-version.ts";
import { createEndpointParts, type EndpointOptions, type SharedParts } from "../exchange/endpoint-parts.ts";
import { giveWay } from "../exchange/give-way.ts";
import { openExchange } from "../exchange/open-exchange.ts";
import { refusal } from "../exchange/refusal.ts";
import type { Caller } from "../executor.ts";
import { runOperation } from "../operation/run-operation.ts";
import { carryOut } from "./carry-out.ts";

/** Answers one POST for an authenticated caller; `guardStream` as in the options, for this request. Never rejects. */
export type JsonRpcEndpoint = (
  request: Request,
  caller: Caller,
  guardStream?: () => Response | undefined,
) => Promise<Response>;

/** Creates an endpoint that answers JSON-RPC requests with this executor; `createA2AEndpoints` adds HTTP+JSON. */
export function createJsonRpcEndpoint(options: EndpointOptions): JsonRpcEndpoint {
  return jsonRpcEndpointOver(createEndpointParts(options));
}

/** An endpoint over parts that other endpoints share. */
export function jsonRpcEndpointOver(parts: SharedParts): JsonRpcEndpoint {
  const { card, bodyLimitBytes, dialects, failures, timers } = parts;
  const newest = dialects[1];

  async function answer(
    request: Request,
    caller: Caller,
    guardStream: (() => Response | undefined) | undefined,
  ): Promise<Response> {
    if (!isJsonContentType(request.headers.get("content-type"))) {
      return refusal(415, "The content type must be application/json");
    }
    let text: string | undefined;
    try {
      text = await readBody(request, bodyLimitBytes);
    } catch {
      // The caller aborted, or its connection broke, within its own request: no one reads the response.
      return refusal(400, "The body broke off");
    }
    if (text === undefined) return refusal(413, `The body is longer than ${bodyLimitBytes} bytes`);
    const asked = versionAsked(request);
    const known = dialectOf(asked, dialects);
    const dialect = known ?? newest;
    const parsed = parseRequest(text);
    const others = giveWay(text, timers);
    if (others !== undefined) await others;
    if ("error" in parsed) return failures.reply({ idJson: parsed.idJson, dialect }, parsed.error);
    const { idJson, method, params, isNotification } = parsed;
    let operation: Operation | undefined;
    try {
      if (known === undefined) throw versionNotSupported(asked, dialects);
      operation = dialect.methods.get(method);
      const exchange = openExchange(parts, request, caller, { idJson, dialect });
      const own = guardStream === undefined ? parts : { ...parts, guardStream };
      if (operation === undefined) throw new A2AError("METHOD_NOT_FOUND", `Method not found: ${method.slice(0, 100)}`);
      if (isNotification) return await carryOut(own, exchange, operation, params, card);
      return await runOperation(own, exchange, operation, params, card);
    } catch (error) {
      if (isNotification) return failures.unanswered(error);
      const isStreamed = dialect.streamsErrors && isStreaming(operation);
      return isStreamed ? failures.streamed({ idJson, dialect }, error) : failures.reply({ idJson, dialect }, error);
    }
  }

  return (request, caller, guardStream) =>
    answer(request, caller, guardStream).catch((error: unknown) =>
      failures.reply({ idJson: "null", dialect: newest }, error),
    );
}

/**
 * The JSON-RPC endpoint (document 1 "JSON-RPC methods"): one POST in, one JSON-RPC response or event stream out. It
 * holds no state but the number of open streams; everything it says of a task it reads through the executor.
 */
import type { AgentCard } from "../agent-card/index.ts";
import { A2AError, taskNotFound } from "../error/index.ts";
import { type JsonRpcRequest, parseRequest } from "../json-rpc/index.ts";
import { runtimeTimers, type Timers } from "../stream/index.ts";
import type { GetTaskRequest } from "../task/index.ts";
import { type EndpointParts, type Exchange, JSON_HEADERS, jsonReply } from "./exchange.ts";
import type { AgentExecutor, Caller } from "./executor.ts";
import { activatedExtensions } from "./extensions.ts";
import { createFailureReply, type OnError } from "./failure-reply.ts";
import { negotiateVersion } from "./negotiate-version.ts";
import { isJsonContentType, readBody } from "./read-body.ts";
import { sendReply } from "./send-reply.ts";
import { messageStreamReply, taskStreamReply } from "./stream-reply.ts";
import { createStreamSlots } from "./stream-slots.ts";
import { createV03Dialect } from "./v0-3-dialect.ts";

/** Settings of an endpoint; only the first two are needed. */
export interface JsonRpcEndpointOptions {
  readonly executor: AgentExecutor;
  /** The card as it is now; asked for by the extended-card method and for the declared extensions. */
  readonly card: (request: Request) => AgentCard;
  /** Longest body in bytes; beyond it 413. Default 10 MiB (ruling A4). */
  readonly bodyLimitBytes?: number;
  /** Most event streams at a time; beyond it 503, before a task exists. Default 2,000 (ruling S7). */
  readonly maxStreams?: number;
  /** Silence on a stream or a waiting reply before something is sent. Default 15,000 ms (rulings A6, A10). */
  readonly keepAliveMs?: number;
  readonly timers?: Timers;
  /**
   * Called for a streaming method after parsing and before anything is accepted; a `Response` refuses it. For rules
   * that hold for streams only, such as origin verification (ruling S4).
   */
  readonly guardStream?: (request: Request) => Response | undefined;
  /** Told of every error the caller only sees as -32603, with the id the caller sees. Default: one line to the console. */
  readonly onError?: OnError;
}

/** Answers one POST for an authenticated caller; `guardStream` as in the options, for this request. Never rejects. */
export type JsonRpcEndpoint = (
  request: Request,
  caller: Caller,
  guardStream?: () => Response | undefined,
) => Promise<Response>;

/** An endpoint over an executor. */
export function createJsonRpcEndpoint(options: JsonRpcEndpointOptions): JsonRpcEndpoint {
  const { card, bodyLimitBytes = 10 * 1024 * 1024 } = options;
  const failures = createFailureReply(options.onError);
  const dialects = [createV03Dialect()];
  const parts: EndpointParts = {
    executor: options.executor,
    slots: createStreamSlots(options.maxStreams ?? 2000),
    failures,
    timers: options.timers ?? runtimeTimers,
    keepAliveMs: options.keepAliveMs ?? 15_000,
    guardStream: options.guardStream,
  };

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
      // The caller left, or its connection broke, within its own request: its fault, and nobody reads the answer.
      return refusal(400, "The body broke off");
    }
    if (text === undefined) return refusal(413, `The body is longer than ${bodyLimitBytes} bytes`);
    const parsed = parseRequest(text);
    if ("error" in parsed) return failures.reply(parsed.idJson, parsed.error);
    try {
      const dialect = negotiateVersion(request, dialects);
      const extensions = activatedExtensions(request, card);
      const call = { caller, version: dialect.version, ...(extensions && { extensions }) };
      const headers = extensions ? { ...JSON_HEADERS, "x-a2a-extensions": extensions.join(", ") } : JSON_HEADERS;
      const own = guardStream === undefined ? parts : { ...parts, guardStream };
      return await run(own, { request, idJson: parsed.idJson, dialect, call, headers }, parsed, card);
    } catch (error) {
      return failures.reply(parsed.idJson, error);
    }
  }

  return (request, caller, guardStream) =>
    answer(request, caller, guardStream).catch((error: unknown) => failures.reply("null", error));
}

function run(
  parts: EndpointParts,
  exchange: Exchange,
  { method, params }: JsonRpcRequest,
  card: JsonRpcEndpointOptions["card"],
): Response | Promise<Response> {
  const entry = exchange.dialect.methods.get(method);
  switch (entry?.operation) {
    case "send":
      return sendReply(parts, exchange, entry.read(params));
    case "stream":
      return messageStreamReply(parts, exchange, entry.read(params));
    case "subscribe":
      return taskStreamReply(parts, exchange, entry.read(params));
    case "get":
      return getReply(parts, exchange, entry.read(params));
    case "cancel":
      return cancelReply(parts, exchange, entry.read(params).id);
    case "card":
      return jsonReply(exchange, JSON.stringify(card(exchange.request)));
    case "push":
      throw new A2AError("PUSH_NOTIFICATION_NOT_SUPPORTED");
    case undefined:
      throw new A2AError("METHOD_NOT_FOUND", `Method not found: ${method.slice(0, 100)}`);
  }
}

async function getReply({ executor }: EndpointParts, exchange: Exchange, params: GetTaskRequest): Promise<Response> {
  const reading = await executor.read(params.id, exchange.call);
  if (reading === undefined) throw taskNotFound(params.id);
  return jsonReply(exchange, exchange.dialect.task(reading.now.task, params.historyLength));
}

/** Ruling A8: the executor leaves a terminal task as it is, and 0.3 is told the Task either way. */
async function cancelReply({ executor }: EndpointParts, exchange: Exchange, taskId: string): Promise<Response> {
  const reading = await executor.cancel(taskId, exchange.call);
  return jsonReply(exchange, exchange.dialect.task(reading.now.task));
}

/** An answer outside JSON-RPC (ruling A4). */
function refusal(status: 400 | 413 | 415, detail: string): Response {
  return new Response(JSON.stringify({ detail }), { status, headers: JSON_HEADERS });
}

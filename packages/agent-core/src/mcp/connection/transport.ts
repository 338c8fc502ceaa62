import { randomUUID } from "node:crypto";
import type { Transport } from "@modelcontextprotocol/client";
import type { StreamingEgress } from "../../egress/index.ts";
import type { HttpTarget, ServerTarget, StdioTarget } from "../server-target.ts";
import { egressFetch, type RequestAuthorization } from "./egress-fetch.ts";
import type { McpSdk } from "./load-sdk.ts";
import { keepingTasks } from "./task-answers.ts";

/** What a transport reports beside its messages. */
export interface TransportEvents {
  /** A line that a program wrote to its standard error. */
  onLog(line: string): void;
  /** The server broke a bound: the connection has to end. */
  onBroken(reason: string): void;
}

/** A transport over the standard streams of a program. */
export interface StdioTransport extends Transport {
  readonly pid: number | undefined;
}

/** Makes transports of resolved targets. */
export interface TransportSource {
  /** The guard for a server's own host, which may be private, and what the settings allow. */
  egressFor(target: HttpTarget): Pick<StreamingEgress, "stream">;
  /** Undefined: programs cannot be started here. */
  stdio?(server: string, target: StdioTarget, events: TransportEvents): StdioTransport;
}

/** The error of a request whose stream ended without an answer, as a message that no server can guess. */
export const STREAM_ENDED = randomUUID();
const STREAM_ENDED_CODE = -32_000;

/** Ends a request whose stream ended without an answer: the SDK would let it wait for its timeout. */
function endingRequests(transport: Transport): Transport {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (!("method" in message) || !("id" in message) || options?.onRequestStreamEnd !== undefined)
      return send(message, options);
    const { id } = message;
    const onRequestStreamEnd = (): void =>
      transport.onmessage?.({ jsonrpc: "2.0", id, error: { code: STREAM_ENDED_CODE, message: STREAM_ENDED } });
    return send(message, { ...options, onRequestStreamEnd });
  };
  return transport;
}

/** What a transport is made for. */
export interface TransportRequest {
  readonly server: string;
  readonly target: ServerTarget;
  readonly authorization?: RequestAuthorization | undefined;
  readonly events: TransportEvents;
}

/** The transport of a target. @throws Error where programs cannot be started */
export function makeTransport(sdk: McpSdk, source: TransportSource, request: TransportRequest): Transport {
  return keepingTasks(plainTransport(sdk, source, request));
}

function plainTransport(
  sdk: McpSdk,
  source: TransportSource,
  { server, target, authorization, events }: TransportRequest,
): Transport {
  if (target.transport === "stdio") {
    if (source.stdio === undefined) throw new Error("programs cannot be started by this service");
    return source.stdio(server, target, events);
  }
  const fetch = egressFetch({
    egress: source.egressFor(target),
    target,
    authorization,
    onTooLong: () => events.onBroken("it sent a message of more than 10 MiB"),
    // All answers of the old transport come on this stream: the SDK would open another one, which nobody has greeted, and
    // let the calls wait.
    ...(target.transport === "sse" && { onStreamEnd: () => events.onBroken("its stream of answers ended") }),
  });
  const url = new URL(target.url);
  // The fetch makes no difference between following and not: it never follows.
  const options = { fetch, requestInit: { redirect: "manual" } } as const;
  if (target.transport === "sse") return new sdk.SSEClientTransport(url, options);
  return endingRequests(new sdk.StreamableHTTPClientTransport(url, options));
}

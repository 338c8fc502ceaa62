/** What the steps of answering one request share. */
import type { Timers } from "../stream/index.ts";
import type { AgentExecutor, CallContext } from "./executor.ts";
import type { FailureReply } from "./failure-reply.ts";
import { type Framing, resultText } from "./framing.ts";
import type { SharedBytes } from "./shared-bytes.ts";
import type { StreamSlots } from "./stream-slots.ts";

/** The same for every request of an endpoint. */
export interface EndpointParts {
  readonly executor: AgentExecutor;
  readonly slots: StreamSlots;
  readonly longFrames: SharedBytes;
  readonly failures: FailureReply;
  readonly timers: Timers;
  /** Milliseconds of silence before something is sent. */
  readonly keepAliveMs: number;
  readonly guardStream: ((request: Request) => Response | undefined) | undefined;
}

/** One request, read and understood. */
export interface Exchange extends Framing {
  readonly request: Request;
  readonly call: CallContext;
  /** Headers of a JSON answer. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A result as the whole answer; adapters know its length. */
export function jsonReply(exchange: Exchange, resultJson: string): Response {
  return new Response(resultText(exchange, resultJson), { headers: exchange.headers });
}

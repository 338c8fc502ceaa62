/** What the steps of answering one request share. */
import type { Timers } from "../../stream/index.ts";
import type { LongTexts } from "../body/long-texts.ts";
import type { UnreadReadings } from "../body/unread-readings.ts";
import type { AgentExecutor, CallContext } from "../executor.ts";
import type { FailureReply } from "./failure-reply.ts";
import type { Framing } from "./framing.ts";
import type { StreamSlots } from "./stream-slots.ts";

/** The same for every request of an endpoint. */
export interface EndpointParts {
  readonly executor: AgentExecutor;
  readonly slots: StreamSlots;
  readonly longTexts: LongTexts;
  readonly unreadReadings: UnreadReadings;
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

import type { AgentCard } from "../../agent-card/index.ts";
import { runtimeTimers, type Timers } from "../../stream/index.ts";
import { LongTexts } from "../body/long-texts.ts";
import { UnreadReadings } from "../body/unread-readings.ts";
import type { Dialect } from "../dialect/dialect.ts";
import { createV03Dialect } from "../dialect/v0-3-dialect.ts";
import { createV10Dialect } from "../dialect/v1-0-dialect.ts";
import type { AgentExecutor } from "../executor.ts";
import { isCrossSite } from "./cross-site.ts";
import type { EndpointParts } from "./exchange.ts";
import { createFailureReply, type OnError } from "./failure-reply.ts";
import { createStreamSlots } from "./stream-slots.ts";

/** Settings of the endpoints; only the first two are needed. */
export interface EndpointOptions {
  readonly executor: AgentExecutor;
  /** The card as it is now; asked for by the extended-card method and for the declared extensions. */
  readonly card: (request: Request) => AgentCard;
  /** Longest body in bytes; beyond it 413. Default 10 MiB (A4). */
  readonly bodyLimitBytes?: number;
  /** Most event streams at a time; beyond it 503, before a task exists. Default 2,000 (S7). */
  readonly maxStreams?: number;
  /** Silence on a stream or a waiting reply before something is sent. Default 15,000 ms (A6, A10). */
  readonly keepAliveMs?: number;
  readonly timers?: Timers;
  /**
   * Called for a streaming method after parsing and before anything is accepted; a `Response` refuses it. For rules
   * that hold for streams only, such as origin verification (S4).
   */
  readonly guardStream?: (request: Request) => Response | undefined;
  /**
   * True for a request that a page of another site may have sent. Such a POST without content type is refused with 415:
   * browsers send it across sites without asking (A4). Default: by `Sec-Fetch-Site` and `Origin`, which has to
   * name the host the request went to.
   */
  readonly isCrossSite?: (request: Request) => boolean;
  /** Called with every error that the caller only sees as -32603, with the id the caller sees. Default: one line to the console. */
  readonly onError?: OnError;
}

/** What the endpoints of one agent share, whatever the binding. */
export interface SharedParts extends EndpointParts {
  readonly card: (request: Request) => AgentCard;
  readonly bodyLimitBytes: number;
  readonly isCrossSite: (request: Request) => boolean;
  /** The versions served, the newest last. */
  readonly dialects: readonly [Dialect, Dialect];
}

export function createEndpointParts(options: EndpointOptions): SharedParts {
  return {
    executor: options.executor,
    card: options.card,
    bodyLimitBytes: options.bodyLimitBytes ?? 10 * 1024 * 1024,
    isCrossSite: options.isCrossSite ?? isCrossSite,
    dialects: [createV03Dialect(), createV10Dialect()],
    longTexts: new LongTexts(),
    unreadReadings: new UnreadReadings(),
    slots: createStreamSlots(options.maxStreams ?? 2000),
    failures: createFailureReply(options.onError),
    timers: options.timers ?? runtimeTimers,
    keepAliveMs: options.keepAliveMs ?? 15_000,
    guardStream: options.guardStream,
  };
}

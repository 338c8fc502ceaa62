import type { ProtocolVersion } from "../message/index.ts";

export type { ProtocolVersion };

/** Who calls, as the host's authentication found it. Tasks are keyed by (class, id): A16. */
export interface Caller {
  /** Tier of the caller, for example `operator` or `federation`. */
  readonly class: string;
  /**
   * Why the connection may not approve for the caller's class, where the host has a rule for that; undefined: it may.
   * Executors ask it before they do.
   */
  readonly refuseDecision?: () => Promise<string | undefined>;
}

/** The request behind a call on the executor. */
export interface CallContext {
  readonly caller: Caller;
  readonly version: ProtocolVersion;
  /** URIs of the declared extensions that the request activates by header; absent: none. */
  readonly extensions?: readonly string[];
  /** The request's `traceparent` header, unchanged (W3C Trace Context); absent: it has none. */
  readonly traceparent?: string;
}

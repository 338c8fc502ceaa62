/** Refusals under overload, separate from protocol errors because they also set the HTTP status. */

/**
 * Nothing was accepted; trying again later may work. On the wire: HTTP `status` with `Retry-After` and a JSON-RPC
 * -32603 body (A9, S7).
 */
export class OverloadedError extends Error {
  override readonly name = "OverloadedError";
  readonly code = "overloaded";
  /** 429: this caller has too much waiting. 503: the service has no room (streams, disk). */
  readonly status: 429 | 503;
  /** Whole seconds, at least 1. */
  readonly retryAfterSeconds: number;

  constructor(status: 429 | 503, message: string, retryAfterSeconds = 1) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterSeconds));
  }
}

/** Why an agent could not be reached; errors that the agent returned are `A2AError`. */

/**
 * Stable codes. `network`: no answer, or it broke off. `timeout`: nothing came for too long. `http`: an HTTP status that
 * is no success. `too-large`: the answer exceeds the client's bounds. `card`: no usable card. `unsupported`: no endpoint
 * this client supports. `untrusted-endpoint`: the card sends credentials to another origin.
 */
export type ClientErrorCode =
  | "network"
  | "timeout"
  | "http"
  | "too-large"
  | "card"
  | "unsupported"
  | "untrusted-endpoint";

export interface ClientErrorDetails {
  readonly status?: number | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** The agent was not reached, or its answer could not be read; errors that the agent returned are `A2AError`. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  readonly code: ClientErrorCode;
  /** HTTP status, with code `http`. */
  readonly status: number | undefined;
  /** Seconds the agent asked to wait. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ClientErrorCode, message: string, details: ClientErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.status = details.status;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }

  /** True where the same request may work later: lost connections, silence, 408, 429 and 5xx. */
  get retryable(): boolean {
    if (this.code === "network" || this.code === "timeout") return true;
    return this.status !== undefined && (this.status >= 500 || this.status === 429 || this.status === 408);
  }
}

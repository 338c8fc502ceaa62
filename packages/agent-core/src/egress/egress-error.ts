/**
 * What kept a request from being made or answered (W3). Those up to `egress.too-many-redirects` are refusals: no socket was opened for
 * the address refused. `egress.unresolved`, `egress.timeout` and `egress.network` may pass by themselves.
 */
export type EgressErrorCode =
  | "egress.invalid-url"
  | "egress.refused-scheme"
  | "egress.refused-credentials"
  | "egress.refused-host"
  | "egress.refused-address"
  | "egress.too-many-redirects"
  | "egress.invalid-request"
  | "egress.unresolved"
  | "egress.timeout"
  | "egress.network"
  | "egress.body-too-large"
  | "egress.bad-answer";

const RETRYABLE: ReadonlySet<EgressErrorCode> = new Set(["egress.unresolved", "egress.timeout", "egress.network"]);

/**
 * A request that was refused or failed. The message names at most the host as it was written, never an address that a
 * name resolved to and never the rest of the URL: it may be shown to the caller. It has no `cause` for that reason.
 */
export class EgressError extends Error {
  override readonly name = "EgressError";
  readonly code: EgressErrorCode;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;

  constructor(code: EgressErrorCode, message: string) {
    super(message);
    this.code = code;
    this.retryable = RETRYABLE.has(code);
  }
}

/** An allow-list that cannot be read; `message` is one line for whoever wrote it (S8). */
export class EgressConfigError extends Error {
  override readonly name = "EgressConfigError";
  readonly code = "egress.invalid-allow-list";
}

import { CodedError } from "../error/index.ts";

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
export class EgressError extends CodedError<EgressErrorCode> {
  override readonly name = "EgressError";

  override get retryable(): boolean {
    return RETRYABLE.has(this.code);
  }
}

/** An allow-list that cannot be read; `message` is one line for whoever wrote it (S8). */
export class EgressConfigError extends CodedError<"egress.invalid-allow-list"> {
  override readonly name = "EgressConfigError";

  constructor(message: string, options?: ErrorOptions) {
    super("egress.invalid-allow-list", message, options);
  }
}

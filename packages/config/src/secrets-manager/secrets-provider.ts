import type { SECRETS_PROVIDERS } from "./secrets-manager-section.ts";

/** What kind of failure it was. Stable: programs compare it (B42). */
export type SecretsErrorKind = "not_configured" | "auth_failed" | "network" | "timeout" | "bad_response" | "internal";

/**
 * A fetch of secrets that failed. The message is one line for people and holds nothing of the manager's answer: an answer may
 * repeat what was sent. Fetching again later may succeed, except for `not_configured`.
 */
export class SecretsError extends Error {
  override readonly name = "SecretsError";
  readonly kind: SecretsErrorKind;

  constructor(kind: SecretsErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** What to fetch, and as whom. */
export interface SecretsSource {
  readonly provider: (typeof SECRETS_PROVIDERS)[number];
  /** Address without a slash at its end. */
  readonly host: string;
  readonly projectId: string;
  readonly environment: string;
  /** Begins with a slash. */
  readonly path: string;
  readonly recursive: boolean;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface SecretsRequest {
  readonly method: "GET" | "POST";
  /** Below the host, with a slash at its beginning. */
  readonly path: string;
  readonly query?: { readonly [name: string]: string };
  readonly bearer?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** Sends one request and resolves with the JSON of its answer. Rejects with `SecretsError`. */
export type SendSecretsRequest = (request: SecretsRequest) => Promise<unknown>;

/**
 * Implements the protocol of one manager: resolves with the values by name, of which the caller takes what may be in an
 * environment. Rejects with `SecretsError`. A second manager is one more of these, and a name in `SECRETS_PROVIDERS`.
 */
export type SecretsProvider = (source: SecretsSource, send: SendSecretsRequest) => Promise<ReadonlyMap<string, string>>;

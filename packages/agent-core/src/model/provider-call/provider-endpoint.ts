import type { Pool as ProviderPool } from "undici";
import Pool from "undici/lib/dispatcher/pool.js";
import { type Clock, systemClock } from "../../clock/index.ts";
import { ModelConfigError } from "../model-config-error.ts";
import type { ModelEvent } from "../model-port.ts";
import { type MakeBodyReader, ProviderCall } from "./provider-call.ts";
import type { ErrorOrigin } from "./provider-error.ts";

export interface ProviderEndpointOptions {
  readonly url: URL;
  /** Milliseconds to the first byte, then between bytes (R6); 0 waits for ever. */
  readonly requestTimeoutMs: number;
  /** Most sockets at once; default 1,024. */
  readonly maxConnections?: number | undefined;
  /** Reads dates in `Retry-After`. */
  readonly clock?: Clock | undefined;
}

/** One request. */
export interface ProviderRequest {
  /** Path and query. */
  readonly path: string;
  /** As `sendableHeaders` makes them. */
  readonly headers: string[];
  readonly origin: ErrorOrigin;
  readonly signal: AbortSignal;
  readonly reader: MakeBodyReader;
  /** Written when the call begins. */
  readonly body: () => string | Buffer;
}

const CONNECT_TIMEOUT_MS = 10_000;

/** The sockets of one provider. */
export class ProviderEndpoint {
  readonly #pool: ProviderPool;
  readonly #clock: Clock;

  constructor({ url, requestTimeoutMs: timeout, maxConnections = 1_024, clock }: ProviderEndpointOptions) {
    this.#clock = clock ?? systemClock();
    this.#pool = new Pool(url.origin, {
      connections: maxConnections,
      headersTimeout: timeout,
      bodyTimeout: timeout,
      connectTimeout: timeout > 0 ? Math.min(timeout, CONNECT_TIMEOUT_MS) : CONNECT_TIMEOUT_MS,
    });
  }

  /** Makes a call. What goes wrong, before it too, rejects the first `next`. */
  call({ path, headers, origin, signal, reader, body }: ProviderRequest): AsyncIterator<ModelEvent, undefined> {
    try {
      signal.throwIfAborted();
      const call = new ProviderCall({ origin, clock: this.#clock, signal, reader });
      this.#pool.dispatch({ method: "POST", path, headers, body: body() }, call);
      return call.events;
    } catch (error) {
      return rejecting(error);
    }
  }

  /** Waits for running calls and closes the sockets. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** An address of a provider. Raises `ModelConfigError` for one that is not http(s), or that holds credentials. */
export function parseProviderUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new ModelConfigError(
      "invalid_base_url",
      `not an http(s) address of a model gateway: ${JSON.stringify(text)}`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new ModelConfigError(
      "invalid_base_url",
      `the address of ${url.host} holds credentials; give the key as the connection's key instead`,
    );
  }
  return url;
}

/**
 * Headers as name and value in turn, the form undici takes with the least work; of names that differ only in case the
 * last counts. Raises `ModelConfigError`, without the value, for one that cannot be sent.
 */
export function sendableHeaders(connectionName: string, given: { readonly [name: string]: string }): string[] {
  const headers = new Map<string, string>();
  for (const [header, value] of Object.entries(given)) headers.set(header.toLowerCase(), value);
  for (const [header, value] of headers) {
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(header) || /[^\t\x20-\x7e]/.test(value)) {
      throw new ModelConfigError(
        "invalid_header",
        `${connectionName}: the header ${JSON.stringify(header)} cannot be sent`,
      );
    }
  }
  return [...headers].flat();
}

function rejecting(error: unknown): AsyncIterator<ModelEvent, undefined> {
  let rejected = false;
  return {
    next() {
      if (rejected) return Promise.resolve({ done: true, value: undefined });
      rejected = true;
      return Promise.reject(error);
    },
  };
}

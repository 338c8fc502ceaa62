import Pool from "undici/lib/dispatcher/pool.js";
import { type Clock, systemClock } from "../../clock/index.ts";
import { ModelConfigError } from "../model-config-error.ts";
import type { Model, ModelCallOptions, ModelEvent, ModelRequest } from "../model-port.ts";
import type { AnswerBounds } from "./answer-reader.ts";
import { GatewayCall } from "./gateway-call.ts";
import type { ErrorVoice } from "./provider-error.ts";
import { RequestBodyWriter } from "./request-body.ts";

/** Where a gateway is and how to talk to it. */
export interface CompatGatewayOptions {
  /** Address up to and without `/chat/completions`, for instance `http://localhost:11434/v1`. http or https. */
  readonly baseUrl: string;
  /** Sent as a bearer token. Blank means none: a keyless endpoint is normal (document 3 `providers`). */
  readonly apiKey?: string;
  /** Further request headers; they win over ours. */
  readonly headers?: { readonly [name: string]: string };
  /** Milliseconds to the first byte, then between bytes (ruling R6). Default 120,000; 0 waits for ever. */
  readonly requestTimeoutMs?: number;
  /** How errors name this connection. Default: the host. */
  readonly name?: string;
  /**
   * Most sockets at once, default 1,024. Calls beyond it queue inside the pool without a word, so lanes (`createModelLanes`)
   * must be narrower.
   */
  readonly maxConnections?: number;
  /** Bounds of an answer. */
  readonly bounds?: Partial<AnswerBounds>;
  /** Reads dates in `Retry-After`. */
  readonly clock?: Clock;
}

/** A model behind an OpenAI-compatible gateway. */
export interface CompatGateway extends Model {
  /** Waits for running calls and closes the sockets. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * The `compat-gateway` connection (document 3 `providers`): streaming chat completions over plain HTTP. Raises
 * `ModelConfigError` for an address or key that cannot work; its streams reject with `ModelError`, never with a text
 * that holds the key.
 */
export function compatGateway(options: CompatGatewayOptions): CompatGateway {
  const url = parseBaseUrl(options.baseUrl);
  const path = `${url.pathname.replace(/\/+$/, "")}/chat/completions${url.search}`;
  const voice = errorVoice(options, url);
  const headers = requestHeaders(options, voice.name);
  const timeout = options.requestTimeoutMs ?? 120_000;
  const clock = options.clock ?? systemClock();
  const writer = new RequestBodyWriter();
  const pool = new Pool(url.origin, {
    connections: options.maxConnections ?? 1_024,
    headersTimeout: timeout,
    bodyTimeout: timeout,
    connectTimeout: timeout > 0 ? Math.min(timeout, CONNECT_TIMEOUT_MS) : CONNECT_TIMEOUT_MS,
  });

  function open(request: ModelRequest, signal: AbortSignal): AsyncIterator<ModelEvent, undefined> {
    signal.throwIfAborted();
    const call = new GatewayCall({ voice, clock, signal, bounds: options.bounds });
    pool.dispatch({ method: "POST", path, headers, body: writer.write(request) }, call);
    return call.events;
  }

  return {
    stream(request: ModelRequest, { signal }: ModelCallOptions): AsyncIterable<ModelEvent> {
      return {
        [Symbol.asyncIterator]() {
          try {
            return open(request, signal);
          } catch (error) {
            return rejecting(error);
          }
        },
      };
    },
    close: () => pool.close(),
  };
}

function parseBaseUrl(text: string): URL {
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

function errorVoice(options: CompatGatewayOptions, url: URL): ErrorVoice {
  const secrets = [
    options.apiKey?.trim() ?? "",
    ...Object.values(options.headers ?? {}).filter((value) => value.length >= 8),
  ];
  return { name: options.name ?? url.host, secrets };
}

/** Name and value in turn, the form undici takes with the least work. */
function requestHeaders(options: CompatGatewayOptions, name: string): string[] {
  const headers = new Map([
    ["content-type", "application/json"],
    ["accept", "text/event-stream, application/json"],
    ["user-agent", "agent-service"],
  ]);
  const key = options.apiKey?.trim() ?? "";
  if (key !== "") headers.set("authorization", `Bearer ${key}`);
  for (const [header, value] of Object.entries(options.headers ?? {})) headers.set(header.toLowerCase(), value);
  for (const [header, value] of headers) {
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(header) || /[^\t\x20-\x7e]/.test(value)) {
      throw new ModelConfigError("invalid_header", `${name}: the header ${JSON.stringify(header)} cannot be sent`);
    }
  }
  return [...headers].flat();
}

function rejecting(error: unknown): AsyncIterator<ModelEvent, undefined> {
  let told = false;
  return {
    next() {
      if (told) return Promise.resolve({ done: true, value: undefined });
      told = true;
      return Promise.reject(error);
    },
  };
}

import type { Clock } from "../../clock/index.ts";
import type { Model, ModelCallOptions, ModelEvent, ModelRequest } from "../model-port.ts";
import { type ErrorOrigin, ProviderEndpoint, parseProviderUrl, sendableHeaders } from "../provider-call/index.ts";
import { type AnswerBounds, AnswerReader } from "./answer-reader.ts";
import { RequestBodyWriter } from "./request-body.ts";
import { AdaptingCall, ParameterBook } from "./taken-parameters.ts";

export interface CompatGatewayOptions {
  /** Address up to and without `/chat/completions`, for instance `http://localhost:11434/v1`. http or https. */
  readonly baseUrl: string;
  /**
   * Sent as a bearer token. Blank means none: a keyless endpoint is normal (B51
   * `providers`). A function is asked before each call, so that a key counts as soon as it is stored (S8).
   */
  readonly apiKey?: string | (() => string);
  readonly headers?: { readonly [name: string]: string };
  /** Milliseconds to the first byte, then between bytes (R6). Default 120,000; 0 waits for ever. */
  readonly requestTimeoutMs?: number;
  /** How errors name this connection. Default: the host. */
  readonly name?: string;
  /**
   * Most sockets at once, default 1,024. Calls beyond it queue inside the pool unseen, so the limits of lanes
   * (`createModelLanes`) must be lower.
   */
  readonly maxConnections?: number;
  readonly bounds?: Partial<AnswerBounds>;
  /** Reads dates in `Retry-After`. */
  readonly clock?: Clock;
}

/** A model behind an OpenAI-compatible gateway. */
export interface CompatGateway extends Model {
  /** Waits for running calls and closes the sockets. */
  close(): Promise<void>;
}

/**
 * The `compat-gateway` connection (B51 `providers`): streaming chat completions over plain HTTP. Raises
 * `ModelConfigError` for an address or key that cannot work; its streams reject with `ModelError`, never with a text
 * that holds the key.
 */
export function compatGateway(options: CompatGatewayOptions): CompatGateway {
  const url = parseProviderUrl(options.baseUrl);
  const path = `${url.pathname.replace(/\/+$/, "")}/chat/completions${url.search}`;
  const { bounds } = options;
  let parts = connectionParts(options, url, keyOf(options));
  const current = (): ConnectionParts => {
    const key = keyOf(options);
    if (key !== parts.key) parts = connectionParts(options, url, key);
    return parts;
  };
  const writer = new RequestBodyWriter();
  const parameters = new ParameterBook();
  const endpoint = new ProviderEndpoint({
    url,
    requestTimeoutMs: options.requestTimeoutMs ?? 120_000,
    maxConnections: options.maxConnections,
    clock: options.clock,
  });

  return {
    stream(request: ModelRequest, options: ModelCallOptions): AsyncIterable<ModelEvent> {
      const { signal, traceparent } = options;
      const { headers, origin } = current();
      const reader = (emit: (event: ModelEvent) => void): AnswerReader =>
        new AnswerReader({ emit, origin, ...(bounds === undefined ? {} : { bounds }) });
      const sent = traceparent === undefined ? headers : [...headers, "traceparent", traceparent];
      const body = (): Buffer => writer.write(request, parameters.of(request.model));
      const begin = () => endpoint.call({ path, headers: sent, origin, signal, reader, body });
      const learns = (error: unknown): boolean => parameters.learn(request.model, error);
      return { [Symbol.asyncIterator]: () => new AdaptingCall(begin, learns, options) };
    },
    close: () => endpoint.close(),
  };
}

function keyOf({ apiKey = "" }: CompatGatewayOptions): string {
  return (typeof apiKey === "string" ? apiKey : apiKey()).trim();
}

/** What depends on the key. */
interface ConnectionParts {
  readonly key: string;
  readonly origin: ErrorOrigin;
  readonly headers: string[];
}

function connectionParts(options: CompatGatewayOptions, url: URL, key: string): ConnectionParts {
  const origin = errorOrigin(options, url, key);
  return { key, origin, headers: requestHeaders(options, origin.name, key) };
}

function errorOrigin(options: CompatGatewayOptions, url: URL, key: string): ErrorOrigin {
  const secrets = [key, ...Object.values(options.headers ?? {}).filter((value) => value.length >= 8)];
  return { name: options.name ?? url.host, secrets };
}

function requestHeaders(options: CompatGatewayOptions, name: string, key: string): string[] {
  return sendableHeaders(name, {
    "content-type": "application/json",
    accept: "text/event-stream, application/json",
    "user-agent": "agent-service",
    ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
    ...options.headers,
  });
}

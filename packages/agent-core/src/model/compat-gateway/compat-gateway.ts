import type { Clock } from "../../clock/index.ts";
import type { Model, ModelCallOptions, ModelEvent, ModelRequest } from "../model-port.ts";
import { type ErrorVoice, ProviderEndpoint, parseProviderUrl, sendableHeaders } from "../provider-call/index.ts";
import { type AnswerBounds, AnswerReader } from "./answer-reader.ts";
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

/**
 * The `compat-gateway` connection (document 3 `providers`): streaming chat completions over plain HTTP. Raises
 * `ModelConfigError` for an address or key that cannot work; its streams reject with `ModelError`, never with a text
 * that holds the key.
 */
export function compatGateway(options: CompatGatewayOptions): CompatGateway {
  const url = parseProviderUrl(options.baseUrl);
  const path = `${url.pathname.replace(/\/+$/, "")}/chat/completions${url.search}`;
  const { bounds } = options;
  const voice = errorVoice(options, url);
  const headers = requestHeaders(options, voice.name);
  const writer = new RequestBodyWriter();
  const endpoint = new ProviderEndpoint({
    url,
    requestTimeoutMs: options.requestTimeoutMs ?? 120_000,
    maxConnections: options.maxConnections,
    clock: options.clock,
  });
  const reader = (emit: (event: ModelEvent) => void): AnswerReader =>
    new AnswerReader({ emit, voice, ...(bounds === undefined ? {} : { bounds }) });

  return {
    stream(request: ModelRequest, { signal, traceparent }: ModelCallOptions): AsyncIterable<ModelEvent> {
      const sent = traceparent === undefined ? headers : [...headers, "traceparent", traceparent];
      return {
        [Symbol.asyncIterator]: () =>
          endpoint.call({ path, headers: sent, voice, signal, reader, body: () => writer.write(request) }),
      };
    },
    close: () => endpoint.close(),
  };
}

function errorVoice(options: CompatGatewayOptions, url: URL): ErrorVoice {
  const secrets = [
    options.apiKey?.trim() ?? "",
    ...Object.values(options.headers ?? {}).filter((value) => value.length >= 8),
  ];
  return { name: options.name ?? url.host, secrets };
}

function requestHeaders(options: CompatGatewayOptions, name: string): string[] {
  const key = options.apiKey?.trim() ?? "";
  return sendableHeaders(name, {
    "content-type": "application/json",
    accept: "text/event-stream, application/json",
    "user-agent": "agent-service",
    ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
    ...options.headers,
  });
}

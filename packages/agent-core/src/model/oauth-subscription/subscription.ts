import type { Clock } from "../../clock/index.ts";
import { ModelError } from "../model-error.ts";
import type { Model, ModelCallOptions, ModelEvent, ModelRequest } from "../model-port.ts";
import {
  type ErrorOrigin,
  type EventInterpreter,
  EventStreamReader,
  ProviderEndpoint,
  parseProviderUrl,
  sendableHeaders,
} from "../provider-call/index.ts";
import type { TokenSource } from "./token-source.ts";

/** A connection to a subscription's endpoint. */
export interface SubscriptionOptions {
  /** How errors name this connection. */
  readonly name: string;
  readonly tokens: TokenSource;
  /** Default: the provider's own address. */
  readonly baseUrl?: string | undefined;
  /** Milliseconds to the first byte, then between bytes (R6). Default 120,000. */
  readonly requestTimeoutMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** What the two wires differ in. */
export interface SubscriptionWire {
  /** After the address, for instance `/v1/messages`. */
  readonly path: string;
  headers(token: string): { readonly [name: string]: string };
  body(request: ModelRequest): Buffer;
  interpreter(emit: (event: ModelEvent) => void, origin: ErrorOrigin): EventInterpreter;
}

export interface SubscriptionModel extends Model {
  /** Waits for running calls and closes the sockets. */
  close(): Promise<void>;
}

/**
 * A subscription as a model (R9). A token that the provider refuses before the first event is renewed and the call made
 * once more. Requests name this service and no other program.
 */
export function subscriptionModel(
  wire: SubscriptionWire,
  { baseUrl, name, tokens, requestTimeoutMs = 120_000, clock }: SubscriptionOptions & { readonly baseUrl: string },
): SubscriptionModel {
  const url = parseProviderUrl(baseUrl);
  const endpoint = new ProviderEndpoint({ url, requestTimeoutMs, clock });
  const path = `${url.pathname.replace(/\/+$/, "")}${wire.path}${url.search}`;

  function call(request: ModelRequest, token: string, options: ModelCallOptions): AsyncIterable<ModelEvent> {
    const { signal, traceparent } = options;
    const { accessToken, refreshToken } = tokens.tokens;
    const origin: ErrorOrigin = { name, secrets: [token, accessToken, refreshToken] };
    const headers = sendableHeaders(name, {
      "content-type": "application/json",
      accept: "text/event-stream",
      "user-agent": "agent-service",
      authorization: `Bearer ${token}`,
      ...wire.headers(token),
      ...(traceparent === undefined ? {} : { traceparent }),
    });
    return {
      [Symbol.asyncIterator]: () =>
        endpoint.call({
          path,
          headers,
          origin,
          signal,
          body: () => wire.body(request),
          reader: (emit) => new EventStreamReader(wire.interpreter(emit, origin), origin),
        }),
    };
  }

  return {
    async *stream(request: ModelRequest, options: ModelCallOptions): AsyncIterable<ModelEvent> {
      const { signal } = options;
      const token = await tokens.token(signal);
      let hasYielded = false;
      try {
        for await (const event of call(request, token, options)) {
          hasYielded = true;
          yield event;
        }
        return;
      } catch (error) {
        const isRefused = !hasYielded && error instanceof ModelError && error.status === 401;
        if (!isRefused || !(await tokens.renew(token, signal))) throw error;
      }
      yield* call(request, await tokens.token(signal), options);
    },
    close: () => endpoint.close(),
  };
}

/** A tool call's arguments as the object that wires want; text that is none is kept, wrapped. */
export function argumentsObject(args: string): object {
  if (args.trim() === "") return {};
  try {
    const parsed: unknown = JSON.parse(args);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch {
    // Falls through to the wrapping.
  }
  return { unparsable_arguments: args };
}

import type { ModelEvent } from "../model-port.ts";
import type { ErrorOrigin } from "../provider-call/index.ts";
import { messagesBody } from "./messages-body.ts";
import { MessagesInterpreter } from "./messages-interpreter.ts";
import {
  type SubscriptionModel,
  type SubscriptionOptions,
  type SubscriptionWire,
  subscriptionModel,
} from "./subscription.ts";

const DEFAULT_BASE_URL = "https://api.anthropic.com";

const WIRE: SubscriptionWire = Object.freeze({
  path: "/v1/messages",
  // The wire's version, and that the bearer is an OAuth token. Neither identifies the program.
  headers: () => ({ "anthropic-version": "2023-06-01", "anthropic-beta": "oauth-2025-04-20" }),
  body: messagesBody,
  interpreter: (emit: (event: ModelEvent) => void, origin: ErrorOrigin) => new MessagesInterpreter(emit, origin),
});

/** The `oauth-subscription-a` connection: the Anthropic Messages wire (B51 `providers`; R9). */
export function oauthSubscriptionA(options: SubscriptionOptions): SubscriptionModel {
  return subscriptionModel(WIRE, { ...options, baseUrl: options.baseUrl ?? DEFAULT_BASE_URL });
}

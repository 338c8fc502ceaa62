import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";

/** A connection as the service tells it; never with its key. */
export type Connection = AnswerOf<
  Extract<OperatorDefinition, { readonly name: "providers.list" }>
>["providers"][number];

const WORDS: Readonly<Record<Connection["type"], string>> = {
  "compat-gateway": "Chat completions",
  "oauth-subscription-a": "Subscription, messages",
  "oauth-subscription-b": "Subscription, responses",
  scripted: "Scripted, no language model",
};

/** What a connection speaks, in words. */
export function typeWords(type: Connection["type"]): string {
  return WORDS[type];
}

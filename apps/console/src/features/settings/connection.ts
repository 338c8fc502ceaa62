import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";

/** A connection as the API returns it, without its key. */
export type Connection = AnswerOf<
  Extract<OperatorDefinition, { readonly name: "providers.list" }>
>["providers"][number];

const LABELS: Readonly<Record<Connection["type"], string>> = {
  "compat-gateway": "OpenAI-compatible",
  "oauth-subscription-a": "Anthropic subscription",
  "oauth-subscription-b": "OpenAI subscription",
  scripted: "Scripted demo",
};

/** Label of a connection's type. */
export function typeLabel(type: Connection["type"]): string {
  return LABELS[type];
}

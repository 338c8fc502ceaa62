import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";

/** Totals of a time. */
export type Summary = NonNullable<
  AnswerOf<Extract<OperatorDefinition, { readonly name: "telemetry.summary" }>>["summary"]
>;

import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";

export type { FoundMemories, Injection, Memory } from "../../memory/index.ts";

/** What a message would be shown. */
export type Preview = NonNullable<
  AnswerOf<Extract<OperatorDefinition, { readonly name: "memory.preview" }>>["preview"]
>;

/** A turn that saw a memory. */
export type MemoryUse = AnswerOf<Extract<OperatorDefinition, { readonly name: "memory.uses" }>>["uses"][number];

/** A document that is or was read into memories. */
export type Source = AnswerOf<Extract<OperatorDefinition, { readonly name: "knowledge.sources" }>>["sources"][number];

/** What is kept of a conversation for later ones. */
export type ConversationSummary = AnswerOf<
  Extract<OperatorDefinition, { readonly name: "memory.sessions" }>
>["sessions"][number];

/** What extracting memories of conversations that rest would cost. */
export type HarvestChoice = NonNullable<
  AnswerOf<Extract<OperatorDefinition, { readonly name: "memory.harvesting" }>>["offer"]
>;

/** What was forgotten at once; no word of it. */
export type Receipt = AnswerOf<Extract<OperatorDefinition, { readonly name: "memory.receipts" }>>["receipts"][number];

import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";

/** What the API answers to a search. */
export type FoundMemories = AnswerOf<Extract<OperatorDefinition, { readonly name: "knowledge.search" }>>;

/** A memory as the API lists it. */
export type Memory = FoundMemories["results"][number];

/** What was recalled before a model call. */
export type Injection = AnswerOf<
  Extract<OperatorDefinition, { readonly name: "memory.injections" }>
>["injections"][number];

/** Whether it is changed here: what another agent shares is changed where it is from. */
export function isOwnMemory({ tier, commons }: Pick<Memory, "tier" | "commons">): boolean {
  return tier === "private" || commons === null;
}

export type { AnswerKey, AnswerStore, Claim, KeptAnswer, KeptAnswerBounds } from "./answer-store.ts";
export { createAnswerStore } from "./answer-store.ts";

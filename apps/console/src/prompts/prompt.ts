import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";

type ApprovalPage = AnswerOf<Extract<OperatorDefinition, { readonly name: "approvals.list" }>>;

/** A prompt that waits for a person, as the approvals API returns it. */
export type WaitingPrompt = ApprovalPage["approvals"][number];

/** The payload of one kind. */
export type PromptOf<TKind extends WaitingPrompt["payload"]["kind"]> = Extract<
  WaitingPrompt["payload"],
  { readonly kind: TKind }
>;

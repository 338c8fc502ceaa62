import type { ReactElement } from "react";
import { ApprovalCard } from "./approval-card.tsx";
import type { WaitingPrompt } from "./prompt.ts";
import { QuestionCard } from "./question-card.tsx";

/** What waits for a person, with what answers it: in the conversation and in the inbox of approvals alike. */
export function PromptCard({ prompt }: { readonly prompt: WaitingPrompt }): ReactElement {
  const { payload } = prompt;
  return (
    <div className="rounded-lg border border-waiting bg-raised p-4">
      {payload.kind === "approval" && <ApprovalCard prompt={prompt} payload={payload} />}
      {payload.kind === "question" && <QuestionCard prompt={prompt} payload={payload} />}
    </div>
  );
}

import { lazy, type ReactElement, Suspense } from "react";
import { Skeleton } from "../ui/index.ts";
import type { WaitingPrompt } from "./prompt.ts";
import { QuestionCard } from "./question-card.tsx";

// The chat's first page does without what few of its turns ask for.
const ApprovalCard = lazy(() => import("./approval-card.tsx").then((module) => ({ default: module.ApprovalCard })));
const FormCard = lazy(() => import("./form-card.tsx").then((module) => ({ default: module.FormCard })));

/** A prompt with its controls, in the conversation and in the list of approvals. */
export function PromptCard({ prompt }: { readonly prompt: WaitingPrompt }): ReactElement {
  const { payload } = prompt;
  if (payload.kind === "approval") {
    return (
      <Suspense fallback={<Skeleton className="h-40 w-full" />}>
        <ApprovalCard prompt={prompt} payload={payload} />
      </Suspense>
    );
  }
  return (
    <section
      aria-label={promptTitle(prompt)}
      data-prompt={prompt.id}
      tabIndex={-1}
      className="rounded-lg border border-waiting bg-raised p-4"
    >
      {payload.kind === "question" && <QuestionCard prompt={prompt} payload={payload} />}
      {payload.kind === "form" && (
        <Suspense fallback={<Skeleton className="h-32 w-full" />}>
          <FormCard prompt={prompt} payload={payload} />
        </Suspense>
      )}
    </section>
  );
}

/** The question of a prompt in one line. */
export function promptTitle({ payload }: Pick<WaitingPrompt, "payload">): string {
  return payload.kind === "question" ? payload.question : payload.title;
}

/** Moves the focus to a prompt of the page: to its first text field, where it has one. */
export function focusPrompt(id: string): void {
  const card = document.querySelector<HTMLElement>(`[data-prompt="${CSS.escape(id)}"]`);
  const control = card?.querySelector<HTMLElement>("textarea, input:not([type=checkbox]), select");
  const keys = card?.dataset.keys !== undefined;
  (keys ? card : (control ?? card))?.focus();
}

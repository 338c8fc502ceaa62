import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";

/** A file's outcome of an undo. */
export type UndoneFile = AnswerOf<Extract<OperatorDefinition, { readonly name: "changes.undo" }>>["files"][number];

const REASONS: { readonly [reason: string]: string } = {
  changed: "it was changed since",
  missing: "it is not there any more",
  between: "something else changed it in between",
  undone: "it is undone already",
  pending: "its change has not ended",
  too_large: "it is too large to be kept",
  secret: "it holds a secret",
  history_off: "the history of files is off",
  expired: "the history of files is full",
  link: "it was a link",
  not_kept: "what was there before was not kept",
};

/** What became, or would become, of a file, in words. */
export function outcomeText({ result, reason }: UndoneFile): string {
  if (result === "restored") return "as it was before";
  if (result === "removed") return "removed";
  return `left as it is: ${reasonText(reason ?? null)}`;
}

/** Why a change is not undone, in words. */
export function reasonText(reason: string | null): string {
  if (reason === null) return "it cannot be undone";
  return REASONS[reason] ?? reason.replaceAll(/[-_]/g, " ");
}

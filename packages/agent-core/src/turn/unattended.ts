/**
 * Unattended turns: schedule, watch, inbox, background, goal drive (R7). A question or a form does not park them:
 * the model gets `NO_OPERATOR` as its result, in three steps, and the fourth ends the turn. Approvals park.
 */
import type { ToolRun } from "../tool/index.ts";
import type { TurnState } from "./turn-state.ts";

/** Steps in which the model may ask in vain before the turn ends. */
export const MAX_UNANSWERED = 3;

/** The result of a question. */
export const NO_OPERATOR =
  "No operator is there to answer: this turn runs unattended. Decide with what you know, or say in your answer what you would have asked.";

/** Replaces a park that an unattended turn may not make; undefined: it may park. */
export function withoutOperator(
  { options, counts, step }: Pick<TurnState, "options" | "counts" | "step">,
  run: ToolRun,
): Extract<ToolRun, { kind: "done" }> | undefined {
  if (options.unattended !== true || run.kind !== "parked" || run.request.kind === "approval") return undefined;
  const { unanswered } = counts;
  // Questions of one step are asked at once, so they count once.
  if (unanswered.step !== step.number) counts.unanswered = { step: step.number, times: unanswered.times + 1 };
  return { kind: "done", outcome: "error", text: NO_OPERATOR };
}

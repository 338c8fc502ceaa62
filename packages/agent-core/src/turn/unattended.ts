/**
 * Turns that nobody watches: schedule, watch, inbox, background, goal drive (ruling R7). A question or a form does not
 * park them: the model is told that no operator is there, in three steps, and the fourth ends the turn. Approvals park.
 */
import type { ToolRun } from "../tool/index.ts";
import type { TurnState } from "./turn-state.ts";

/** Steps in which the model may ask in vain before the turn ends. */
export const TIMES_TOLD = 3;

/** What a question comes to. */
export const NO_OPERATOR =
  "No operator is there to answer: this turn runs unattended. Decide with what you know, or say in your answer what you would have asked.";

/** What the model reads in place of a park that an unattended turn may not make; undefined: the park stands. */
export function answerOfNobody(state: TurnState, run: ToolRun): Extract<ToolRun, { kind: "done" }> | undefined {
  if (state.options.unattended !== true || run.kind !== "parked" || run.request.kind === "approval") return undefined;
  // Questions of one step are asked at once, so they count once.
  if (state.unanswered.step !== state.step) state.unanswered = { step: state.step, times: state.unanswered.times + 1 };
  return { kind: "done", outcome: "error", text: NO_OPERATOR };
}

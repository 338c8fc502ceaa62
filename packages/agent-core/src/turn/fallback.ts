/** Which model goes on when one fails (document 3 `routing.fallback_models`). */
import { ModelError } from "../model/index.ts";
import type { ChosenModel, TurnDeps, TurnState } from "./turn-state.ts";

/** The model that the next call of the turn goes to. */
export function servingModel(state: TurnState, chosen: ChosenModel): ChosenModel {
  const { serving } = state;
  return serving === 0 ? chosen : (chosen.fallbacks?.[serving - 1] ?? chosen);
}

/** A call that failed. */
export interface FailedAttempt {
  readonly chosen: ChosenModel;
  readonly error: unknown;
  /** The failure's code as journaled. */
  readonly code: string;
  /** Whether any of an answer had come; then no other model may go on. */
  readonly said: boolean;
  /** How many models this step has tried. */
  readonly tried: number;
}

/**
 * Moves the turn to the next model and says so in the journal and the log; false when there is none, or the failure is
 * not one that another model could mend. The turn stays with what serves it, so that a gateway that is down is not
 * waited for at every step; when that one fails too, the others are tried again, each once a step.
 */
export function fallBack(state: TurnState, deps: TurnDeps, attempt: FailedAttempt): boolean {
  const { chosen, error, said, tried, code } = attempt;
  const count = 1 + (chosen.fallbacks?.length ?? 0);
  if (said || tried >= count || !(error instanceof ModelError)) return false;
  // Who names a model that does not exist is told so (document 2), and not answered by another one.
  if (error.code === "unknown_model" && state.serving === 0 && state.options.model !== undefined) return false;
  const from = servingModel(state, chosen).name;
  state.serving = (state.serving + 1) % count;
  const to = servingModel(state, chosen).name;
  state.carry.events.push({ kind: "model.fallback", from, to, code });
  deps.log.warn(`task ${state.record.view.id}: the model ${from} failed (${code}), so ${to} goes on`);
  return true;
}

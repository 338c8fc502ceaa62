import type { ChosenModel, TurnDeps, TurnState } from "./turn-state.ts";

/**
 * The model of a turn, which keeps the one it began with, whatever is configured meanwhile (ruling S8). It is in use
 * until `releaseModel`. @throws ModelConfigError
 */
export function turnModel(state: TurnState, deps: TurnDeps): ChosenModel {
  if (state.chosen === undefined) {
    state.chosen = deps.chooseModel(state.options.model);
    state.chosen.use?.begin();
  }
  return state.chosen;
}

/** The turn asks its model no more. */
export function releaseModel(state: TurnState): void {
  state.chosen?.use?.end();
  state.chosen = undefined;
}

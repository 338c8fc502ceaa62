import type { ChosenModel, TurnDeps } from "./turn-deps.ts";
import type { ModelRouting, TurnState } from "./turn-state.ts";

/**
 * The model of a turn, which keeps the one it began with, whatever is configured meanwhile (S8). It is in use
 * until `releaseModel`. @throws ModelConfigError
 */
export function turnModel(
  { routing, options }: Pick<TurnState, "routing" | "options">,
  deps: Pick<TurnDeps, "chooseModel">,
): ChosenModel {
  if (routing.chosen === undefined) {
    routing.chosen = deps.chooseModel(options.model);
    routing.chosen.use?.begin();
  }
  return routing.chosen;
}

/** Ends the use of the turn's model. */
export function releaseModel(routing: Pick<ModelRouting, "chosen">): void {
  routing.chosen?.use?.end();
  routing.chosen = undefined;
}

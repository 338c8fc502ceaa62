/** Which model takes over when one fails (B65 `routing.fallback_models`). */
import { ModelError } from "../../model/index.ts";
import type { ChosenModel, TurnDeps } from "../turn-deps.ts";
import type { ModelRouting, TurnState } from "../turn-state.ts";

/** The model that the next call of the turn goes to. */
export function servingModel({ fallback }: Pick<ModelRouting, "fallback">, chosen: ChosenModel): ChosenModel {
  return fallback === 0 ? chosen : (chosen.fallbacks?.[fallback - 1] ?? chosen);
}

export interface FailedAttempt {
  readonly chosen: ChosenModel;
  readonly error: unknown;
  /** The failure's code as journaled. */
  readonly code: string;
  /** Whether any part of an answer had come; then no other model may take over. */
  readonly started: boolean;
  /** How many models this step has tried. */
  readonly tried: number;
}

/**
 * Moves the turn to the next model, with an entry in the journal and the log; false when there is none, or another
 * model would fail the same way. The turn stays with the model that serves it, so that a gateway that is down is not
 * waited for at every step; when that one fails too, the others are tried again, each once a step.
 */
export function fallBack(
  { routing, options, record, carry }: Pick<TurnState, "routing" | "options" | "record" | "carry">,
  { log }: Pick<TurnDeps, "log">,
  { chosen, error, started, tried, code }: FailedAttempt,
): boolean {
  const count = 1 + (chosen.fallbacks?.length ?? 0);
  if (started || tried >= count || !(error instanceof ModelError)) return false;
  // A caller that names a model that does not exist gets that error, not another model's answer.
  if (error.code === "unknown_model" && routing.fallback === 0 && options.model !== undefined) return false;
  const from = servingModel(routing, chosen).name;
  routing.fallback = (routing.fallback + 1) % count;
  const to = servingModel(routing, chosen).name;
  carry.events.push({ kind: "model.fallback", from, to, code });
  log.warn(`task ${record.view.id}: the model ${from} failed (${code}), so ${to} continues`);
  return true;
}

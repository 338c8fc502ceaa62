/**
 * What is checked before every model call, in this order (ruling R5):
 *  1. iterations: `maxIterations` reached, a tool round counting as 8 → the task fails
 *  2. rounds: `roundHardCap` reached → the turn ends with a hand-back
 *  3. nobody: an unattended turn asked for an operator in vain too often → the turn ends with a hand-back (ruling R7)
 *  4. repetition: identical calls with identical results → a note at 3, the end at 6
 * The silence guard runs beside the turn (task slice), compaction inside the model step.
 */
import type { TaskFailure } from "../event/index.ts";
import type { TurnDeps, TurnState } from "./turn-state.ts";
import { TIMES_TOLD } from "./unattended.ts";

/** What a guard says. */
export type GuardVerdict =
  | { readonly kind: "go-on" }
  /** Tell the model. */
  | { readonly kind: "note"; readonly guard: string; readonly text: string }
  /** End the turn, completed, with this answer. */
  | { readonly kind: "hand-back"; readonly guard: string; readonly text: string }
  | { readonly kind: "fail"; readonly failure: TaskFailure };

/** A guard: looks at the state, never changes it. */
export type Guard = (state: TurnState, deps: TurnDeps) => GuardVerdict;

const GO_ON: GuardVerdict = { kind: "go-on" };
/** Steps a tool round counts as (document 3 `model.max_iterations`: about 8 per tool call). */
const STEPS_PER_ROUND = 8;

const iterations: Guard = (state, deps) =>
  state.rounds * STEPS_PER_ROUND < deps.limits.maxIterations
    ? GO_ON
    : {
        kind: "fail",
        failure: {
          code: "iteration_limit",
          message: `The turn reached its limit of ${deps.limits.maxIterations} steps after ${state.rounds} tool rounds.`,
        },
      };

const rounds: Guard = (state, deps) => {
  const cap = deps.limits.roundHardCap;
  if (cap === undefined || state.rounds < cap) return GO_ON;
  const text = `I stopped after ${state.rounds} tool rounds, the limit set for one turn. Send a message to let me go on.`;
  return { kind: "hand-back", guard: "round_hard_cap", text };
};

const nobody: Guard = ({ unanswered: { times } }) => {
  if (times <= TIMES_TOLD) return GO_ON;
  const text = `I stopped because I asked for an operator ${times} times, and none is there: this turn runs unattended.`;
  return { kind: "hand-back", guard: "unattended", text };
};

const repetition: Guard = (state, deps) => {
  const { count, noted } = state.repeat;
  if (count >= deps.limits.repeatsToEnd) {
    const text = `I stopped because the same call gave the same result ${count} times in a row.`;
    return { kind: "hand-back", guard: "repetition", text };
  }
  if (count < deps.limits.repeatsToNote || noted) return GO_ON;
  const text = `The last ${count} calls were identical and so were their results. Do something else, or answer with what you have.`;
  return { kind: "note", guard: "repetition", text };
};

/** The guards, in the order they are asked; the first that does not say "go on" decides. */
export const GUARDS: readonly Guard[] = Object.freeze([iterations, rounds, nobody, repetition]);

/** Asks the guards. */
export function askGuards(state: TurnState, deps: TurnDeps, guards: readonly Guard[] = GUARDS): GuardVerdict {
  for (const guard of guards) {
    const verdict = guard(state, deps);
    if (verdict.kind !== "go-on") return verdict;
  }
  return GO_ON;
}

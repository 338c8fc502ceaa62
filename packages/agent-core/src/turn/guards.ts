/**
 * What is checked before every model call, in this order (R5):
 *  1. iterations: `maxIterations` reached, a tool round counting as 8 → the task fails
 *  2. rounds: `roundHardCap` reached → the turn ends with a hand-back
 *  3. unattended: an unattended turn asked for an operator in vain too often → the turn ends with a hand-back (R7)
 *  4. repetition: identical calls with identical results → a note at 3, the end at 6
 * The silence guard runs beside the turn (module `task`), compaction inside the model step.
 */
import type { TaskFailure } from "../event/index.ts";
import type { TurnLimits } from "./turn-limits.ts";
import type { TurnCounts } from "./turn-state.ts";
import { MAX_UNANSWERED } from "./unattended.ts";

export type GuardVerdict =
  | { readonly kind: "continue" }
  /** Add a message for the model. */
  | { readonly kind: "note"; readonly guard: string; readonly text: string }
  /** End the turn, completed, with this answer. */
  | { readonly kind: "hand-back"; readonly guard: string; readonly text: string }
  | { readonly kind: "fail"; readonly failure: TaskFailure };

/** A check of a turn's counts against its limits. */
export type Guard = (counts: Readonly<TurnCounts>, limits: TurnLimits) => GuardVerdict;

const CONTINUE: GuardVerdict = { kind: "continue" };
/** Steps a tool round counts as (B52 `model.max_iterations`: about 8 per tool call). */
const STEPS_PER_ROUND = 8;

const iterations: Guard = (counts, { maxIterations }) =>
  counts.rounds * STEPS_PER_ROUND < maxIterations
    ? CONTINUE
    : {
        kind: "fail",
        failure: {
          code: "iteration_limit",
          message: `The turn reached its limit of ${maxIterations} steps after ${counts.rounds} tool rounds.`,
        },
      };

/** The guard of a turn that reached its number of tool rounds, as it is journaled. */
export const ROUND_CAP = "round_hard_cap";

const rounds: Guard = (counts, { roundHardCap: cap }) => {
  if (cap === undefined || counts.rounds < cap) return CONTINUE;
  const text = `I stopped after ${counts.rounds} tool rounds, the limit set for one turn. Send a message to let me go on.`;
  return { kind: "hand-back", guard: ROUND_CAP, text };
};

const unattended: Guard = ({ unanswered: { times } }) => {
  if (times <= MAX_UNANSWERED) return CONTINUE;
  const text = `I stopped because I asked for an operator ${times} times, and none is there: this turn runs unattended.`;
  return { kind: "hand-back", guard: "unattended", text };
};

const repetition: Guard = ({ repeat: { count, noted } }, { repeatsToNote, repeatsToEnd }) => {
  if (count >= repeatsToEnd) {
    const text = `I stopped because the same call gave the same result ${count} times in a row.`;
    return { kind: "hand-back", guard: "repetition", text };
  }
  if (count < repeatsToNote || noted) return CONTINUE;
  const text = `The last ${count} calls were identical and so were their results. Do something else, or answer with what you have.`;
  return { kind: "note", guard: "repetition", text };
};

/** The bounds of a turn that has fewer tool rounds of its own. */
export function limitsOf(limits: TurnLimits, maxRounds: number | undefined): TurnLimits {
  if (maxRounds === undefined) return limits;
  return { ...limits, roundHardCap: Math.min(maxRounds, limits.roundHardCap ?? maxRounds) };
}

/** In the order they run; the first verdict other than `continue` decides. */
export const GUARDS: readonly Guard[] = Object.freeze([iterations, rounds, unattended, repetition]);

/** The first verdict other than `continue`. */
export function runGuards(
  counts: Readonly<TurnCounts>,
  limits: TurnLimits,
  guards: readonly Guard[] = GUARDS,
): GuardVerdict {
  for (const guard of guards) {
    const verdict = guard(counts, limits);
    if (verdict.kind !== "continue") return verdict;
  }
  return CONTINUE;
}

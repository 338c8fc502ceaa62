/** What follows from a verdict (G15). */
import { createHash } from "node:crypto";
import type { CheckVerdict } from "../verifier/index.ts";
import type { Goal, GoalPause, GoalState, GoalStatus, NewGoalEvent } from "./goal.ts";
import { type Spent, withSpent } from "./spent.ts";

export type Decision =
  | { readonly kind: "end"; readonly status: Exclude<GoalStatus, "active">; readonly reason: string }
  | { readonly kind: "pause"; readonly pause: GoalPause }
  | { readonly kind: "drive" };

export interface JudgedGoal {
  /** The goal's state with the verdict counted. */
  readonly state: GoalState;
  readonly decision: Decision;
}

const TIMES = [
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g,
  /\b\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?\b/g,
  /\bduration_ms[ :=]+\d+(?:\.\d+)?/g,
  /\b\d+(?:\.\d+)?\s*(?:ns|µs|us|ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b/g,
];

/** What two verdicts without progress between them have in common: durations and times do not count. */
export function signatureOf({ spec, plan }: Goal, { reason, evidence, unmet = [] }: CheckVerdict): string {
  const found =
    spec.check.spec.type === "llm"
      ? JSON.stringify([plan, [...unmet].sort()])
      : JSON.stringify([withoutTimes(reason), withoutTimes(evidence)]);
  return createHash("sha256").update(found).digest("hex").slice(0, 32);
}

function withoutTimes(text: string): string {
  return TIMES.reduce((left, pattern) => left.replaceAll(pattern, "#"), text);
}

/** Counts a verdict. `handsOff`: something of the session takes the goal up by itself. */
export function judge(goal: Goal, verdict: CheckVerdict, handsOff: boolean): JudgedGoal {
  const { spec, state: before } = goal;
  const signature = signatureOf(goal, verdict);
  const { met, stop, reason: lastReason, evidence: lastEvidence } = verdict;
  const state: GoalState = {
    ...before,
    ...{ lastReason, lastEvidence, signature, iteration: before.iteration + 1 },
    streak: before.streak > 0 && before.signature === signature ? before.streak + 1 : 1,
    ...{ paused: undefined, drive: undefined, verify: undefined, next: "drive", retryAt: undefined },
    ...{ failures: 0, attempt: 0, abandon: undefined },
  };
  const end = (status: Exclude<GoalStatus, "active">, reason: string): JudgedGoal => ({
    state,
    decision: { kind: "end", status, reason },
  });
  if (met) return end("met", lastReason);
  if (before.abandon !== undefined) {
    const { decision } = end("unachievable", `The agent gave up: ${before.abandon}`);
    return { state: { ...state, abandon: before.abandon }, decision };
  }
  if (stop === true) return end("unachievable", `Its condition for giving up holds: ${lastReason}`);
  if (state.streak >= spec.noProgressLimit)
    return end("unachievable", `Nothing changed for ${counted(state.streak, "verdict")}: ${lastReason}`);
  if (state.iteration >= state.maxIterations)
    return end("exhausted", `It was not met after ${counted(state.iteration, "iteration")}: ${lastReason}`);
  if (before.turn?.isDrive === true) {
    if (before.turn.capped) return { state, decision: { kind: "pause", pause: "round_cap" } };
    if (handsOff) return { state, decision: { kind: "pause", pause: "handed_off" } };
  }
  return { state, decision: { kind: "drive" } };
}

/** What a timeline has of a verdict (GO1), with what the check and the drive before it cost. */
export function verdictEvent(
  { state }: Goal,
  of: { readonly task: string; readonly decision: Decision; readonly verdict: CheckVerdict; readonly spent: Spent },
): NewGoalEvent {
  const { met, reason, evidence } = of.verdict;
  const status = of.decision.kind === "end" ? of.decision.status : "continue";
  const cost = withSpent(of.spent, state.turn?.spent ?? { tokens: 0, usd: 0 });
  return { kind: "verdict", task: of.task, iteration: state.iteration, met, status, reason, evidence, ...cost };
}

function counted(n: number, what: string): string {
  return n === 1 ? `1 ${what}` : `${n} ${what}s`;
}

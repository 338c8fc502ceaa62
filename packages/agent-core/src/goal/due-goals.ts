import { isTerminalState } from "../event/index.ts";
import type { DueSteps, TaskLook } from "../trigger/index.ts";
import { GOAL_LIMITS } from "./goal.ts";
import type { HeldGoal } from "./held-goals.ts";

export type GoalStep =
  /** The task that checks it ended, or was deleted. */
  | { readonly kind: "verdict"; readonly held: HeldGoal }
  /** The turn that worked on it ended, or was deleted. */
  | { readonly kind: "driven"; readonly held: HeldGoal }
  /** A turn of its session ended. */
  | { readonly kind: "verify"; readonly held: HeldGoal }
  | { readonly kind: "drive"; readonly held: HeldGoal }
  /** Goals are switched off. */
  | { readonly kind: "off"; readonly held: HeldGoal };

/** What is due of active goals. `completed` of a goal: turns of its session that ended since it was checked. */
export function dueGoals(
  goals: readonly HeldGoal[],
  look: (task: string) => TaskLook | undefined,
  { now, isOn }: { readonly now: number; readonly isOn: boolean },
): DueSteps<GoalStep> {
  const steps: GoalStep[] = [];
  let at: number | undefined;
  let checks = goals.filter(({ goal }) => goal.state.verify !== undefined).length;
  const isOver = (task: string): boolean => {
    const seen = look(task);
    return seen === undefined || isTerminalState(seen.state);
  };
  const verify = (held: HeldGoal): void => {
    // The end of a check wakes the driver, so those that find no place need no time.
    if (checks >= GOAL_LIMITS.checks) return;
    checks++;
    steps.push({ kind: "verify", held });
  };
  for (const held of goals) {
    const { verify: checking, drive, paused, retryAt, next } = held.goal.state;
    if (checking !== undefined) {
      if (isOver(checking)) steps.push({ kind: "verdict", held });
    } else if (drive !== undefined) {
      if (isOver(drive)) steps.push({ kind: "driven", held });
    } else if (!isOn) {
      if (paused === undefined) steps.push({ kind: "off", held });
    } else if (held.completed !== undefined) verify(held);
    else if (paused !== undefined) continue;
    else if (retryAt !== undefined && retryAt > now) at = Math.min(at ?? retryAt, retryAt);
    else if (next === "verify") verify(held);
    else steps.push({ kind: "drive", held });
  }
  return { steps, at };
}

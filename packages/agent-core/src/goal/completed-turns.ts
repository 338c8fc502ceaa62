import type { TaskView } from "../event/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import type { Goal } from "./goal.ts";
import type { HeldGoal, HeldGoals } from "./held-goals.ts";
import type { SessionTurns } from "./session-turns.ts";

/** Notes that a turn of a goal's session ended completed. True: a goal is to be checked. Called with every commit. */
export function noteCompleted(goals: HeldGoals, view: Readonly<TaskView>): boolean {
  if (goals.size === 0 || view.state !== "completed" || view.class !== OPERATOR_CLASS || view.role !== undefined)
    return false;
  const held = goals.get(view.context);
  if (held === undefined || view.models.length === 0 || held.goal.state.drive === view.id) return false;
  held.completed = { task: view.id, at: view.statusAt };
  return true;
}

/** The turn of a goal's session that ended since it was checked, in a former process. @throws DatabaseError */
export async function completedBefore(turns: SessionTurns, goal: Goal): Promise<HeldGoal["completed"]> {
  const { turn, drive } = goal.state;
  const found = await turns.completedSince(goal, { since: turn?.at ?? goal.createdAt, known: turn?.task });
  return found?.task === drive ? undefined : found;
}

/** How a goal stands, in words. */
import type { GoalRow } from "@agent-service/operator-api";
import { timeOf } from "../commands/tasks.ts";

/** Why an active goal is not driven. */
export const PAUSES: { readonly [Pause in NonNullable<GoalRow["paused"]>]: string } = {
  kick: "it was set without being started",
  round_cap: "a turn ended at its number of tool rounds",
  handed_off: "a turn left it to a wait, a schedule or a watch of its session",
  turn_failed: "a turn failed, and is not tried again",
  verifier_failed: "its check failed, and is not tried again",
  interrupted: "restarts interrupted it again and again",
  canceled: "it was canceled",
  off: "goals were switched off",
};

/** One word, or two. */
export function stateOf({ status, phase, paused }: Pick<GoalRow, "status" | "phase" | "paused">): string {
  if (status !== "active") return status;
  return paused === null ? phase : `paused: ${paused}`;
}

/** What an active goal waits for; undefined: it has ended. */
export function waitOf(goal: GoalRow): string | undefined {
  if (goal.status !== "active") return undefined;
  if (goal.retry_at !== null) return `what failed is tried again at ${timeOf(goal.retry_at)}`;
  if (goal.paused !== null)
    return `${PAUSES[goal.paused]}; the next message of its session goes on, or agent-service goals resume`;
  if (goal.verify_task_id !== null) return `the check, task ${goal.verify_task_id}`;
  return goal.drive_task_id === null ? "its turn" : `the turn, task ${goal.drive_task_id}`;
}

/** The check in a table: its type, or its name. */
export function checkOf({ verifier }: Pick<GoalRow, "verifier">): string {
  return String(verifier.type === "plugin" ? verifier.check : verifier.type);
}

import type { TaskState } from "../task/index.ts";
import type { WireTaskState } from "./wire.ts";

const toWire = {
  TASK_STATE_UNSPECIFIED: "unknown",
  TASK_STATE_SUBMITTED: "submitted",
  TASK_STATE_WORKING: "working",
  TASK_STATE_COMPLETED: "completed",
  TASK_STATE_FAILED: "failed",
  TASK_STATE_CANCELED: "canceled",
  TASK_STATE_INPUT_REQUIRED: "input-required",
  TASK_STATE_REJECTED: "rejected",
  TASK_STATE_AUTH_REQUIRED: "auth-required",
} as const satisfies Record<TaskState, WireTaskState>;

const fromWire: ReadonlyMap<unknown, TaskState> = new Map(
  Object.entries(toWire).map(([state, wire]) => [wire, state as TaskState]),
);

/** The 0.3 name of a state. */
export function wireState(state: TaskState): WireTaskState {
  return toWire[state];
}

/** The state behind a 0.3 name; UNSPECIFIED for a name 0.3 does not have. */
export function stateFromWire(name: unknown): TaskState {
  return stateNamed(name) ?? "TASK_STATE_UNSPECIFIED";
}

/** The state behind a 0.3 name, undefined for what is none. */
export function stateNamed(name: unknown): TaskState | undefined {
  return fromWire.get(name);
}

import type { TaskState } from "../task/index.ts";

const STATES: ReadonlyMap<unknown, TaskState> = new Map(
  (
    [
      "TASK_STATE_UNSPECIFIED",
      "TASK_STATE_SUBMITTED",
      "TASK_STATE_WORKING",
      "TASK_STATE_COMPLETED",
      "TASK_STATE_FAILED",
      "TASK_STATE_CANCELED",
      "TASK_STATE_INPUT_REQUIRED",
      "TASK_STATE_REJECTED",
      "TASK_STATE_AUTH_REQUIRED",
    ] as const satisfies readonly TaskState[]
  ).map((state) => [state, state]),
);

/** The state of a 1.0 name, undefined for what is none. */
export function stateNamed(name: unknown): TaskState | undefined {
  return STATES.get(name);
}

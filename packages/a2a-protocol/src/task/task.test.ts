import { expect, it } from "vitest";
import { isInterrupted, isTerminal, type TaskState } from "./index.ts";

it("every state is terminal, interrupted, or neither: working on", () => {
  const name = (state: TaskState) => (isTerminal(state) ? "terminal" : isInterrupted(state) ? "interrupted" : "open");
  const states: Record<TaskState, string> = {
    TASK_STATE_UNSPECIFIED: "open",
    TASK_STATE_SUBMITTED: "open",
    TASK_STATE_WORKING: "open",
    TASK_STATE_COMPLETED: "terminal",
    TASK_STATE_FAILED: "terminal",
    TASK_STATE_CANCELED: "terminal",
    TASK_STATE_REJECTED: "terminal",
    TASK_STATE_INPUT_REQUIRED: "interrupted",
    TASK_STATE_AUTH_REQUIRED: "interrupted",
  };
  expect(Object.fromEntries(Object.keys(states).map((state) => [state, name(state as TaskState)]))).toEqual(states);
});

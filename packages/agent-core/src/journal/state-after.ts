import type { TaskEvent, TaskState } from "../event/index.ts";

/** The state an event puts its task in, if any. */
export function stateAfter(event: TaskEvent): TaskState | undefined {
  switch (event.kind) {
    case "task.accepted":
    case "prompt.answered":
      return event.state;
    case "task.started":
    case "task.resumed":
      return "running";
    case "task.parked":
      return "parked";
    case "task.completed":
      return "completed";
    case "task.failed":
      return "failed";
    case "task.canceled":
      return "canceled";
    default:
      return undefined;
  }
}

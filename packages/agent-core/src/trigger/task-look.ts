import type { TaskState, TaskView } from "../event/index.ts";
import { INTERRUPTED } from "../task/index.ts";

/** What decides about a row of the tasks it names. */
export interface TaskLook {
  readonly state: TaskState;
  /** It failed because the service was restarted. */
  readonly interrupted: boolean;
}

export function lookOf({ state, failure }: Readonly<TaskView>): TaskLook {
  return { state, interrupted: state === "failed" && failure?.code === INTERRUPTED.code };
}

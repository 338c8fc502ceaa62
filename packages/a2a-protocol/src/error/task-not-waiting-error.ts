/**
 * Thrown by an executor's `answer` when the task exists but waits for no input. Not an error of the protocol: the
 * handler decides by version what the message then means (A9).
 */
export class TaskNotWaitingError extends Error {
  override readonly name = "TaskNotWaitingError";
  readonly code = "task-not-waiting";
  readonly taskId: string;

  constructor(taskId: string) {
    super(`Task ${taskId} does not wait for a reply`);
    this.taskId = taskId;
  }
}

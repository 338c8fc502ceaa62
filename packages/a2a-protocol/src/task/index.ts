export type { ListTasksRequest, ListTasksResponse } from "./list-tasks.ts";
export type { Artifact, Task, TaskState, TaskStatus } from "./task.ts";
export { isInterrupted, isTerminal } from "./task.ts";
export type { CancelTaskRequest, GetTaskRequest, SubscribeToTaskRequest } from "./task-requests.ts";

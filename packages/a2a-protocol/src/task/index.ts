export { isInterrupted, isTerminal } from "./task.ts";
export type { Artifact, Task, TaskState, TaskStatus } from "./task.ts";

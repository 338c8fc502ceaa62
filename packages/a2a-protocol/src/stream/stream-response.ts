/** Stream frames in the 1.0 shape (A2A 1.0.1): an object with exactly one key. */
import type { Message, Metadata } from "../message/index.ts";
import type { Artifact, Task, TaskStatus } from "../task/index.ts";

/** A change of a task's status. */
export interface TaskStatusUpdateEvent {
  readonly taskId: string;
  readonly contextId: string;
  readonly status: TaskStatus;
  readonly metadata?: Metadata;
}

/** A new or changed artifact. */
export interface TaskArtifactUpdateEvent {
  readonly taskId: string;
  readonly contextId: string;
  readonly artifact: Artifact;
  /** true: add to the earlier artifact of the same id; absent or false: replace it. */
  readonly append?: boolean;
  readonly lastChunk?: boolean;
  readonly metadata?: Metadata;
}

/** One frame of a stream: a task, a message of the agent, or a change of either. */
export type StreamResponse =
  | { readonly task: Task }
  | { readonly message: Message }
  | { readonly statusUpdate: TaskStatusUpdateEvent }
  | { readonly artifactUpdate: TaskArtifactUpdateEvent };

/** Requests about a task, in the 1.0 shape (A2A 1.0.1, "Requests and responses"). */
import type { Metadata } from "../message/index.ts";

/** Params of `GetTask`, 0.3's `tasks/get`. */
export interface GetTaskRequest {
  readonly id: string;
  /** At most this many newest messages; absent: all, 0: none. */
  readonly historyLength?: number;
}

/** Params of `CancelTask`, 0.3's `tasks/cancel`. */
export interface CancelTaskRequest {
  readonly id: string;
  readonly metadata?: Metadata;
}

/** Params of `SubscribeToTask`, 0.3's `tasks/resubscribe`. */
export interface SubscribeToTaskRequest {
  readonly id: string;
  /** Cursor from `metadata.after` (A20): number of the last event seen. */
  readonly after?: number;
}

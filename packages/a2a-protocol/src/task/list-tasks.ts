/** Listing tasks, in the 1.0 shape (A2A 1.0.1 "ListTasksRequest" and "ListTasksResponse"). */
import type { Task, TaskState } from "./task.ts";

/** Which tasks to list. */
export interface ListTasksRequest {
  /** Only those of this conversation. */
  readonly contextId?: string;
  /** Only those in this state. */
  readonly status?: TaskState;
  /** 1 to 100; absent: 50. */
  readonly pageSize?: number;
  /** `nextPageToken` of the page before. */
  readonly pageToken?: string;
  /** At most this many newest messages of each task; absent: all, 0: none. */
  readonly historyLength?: number;
  /** Only those whose status is of this time or later; ISO 8601. */
  readonly statusTimestampAfter?: string;
  /** true: with their outputs. Default false. */
  readonly includeArtifacts?: boolean;
}

/** One page of tasks, newest status first. */
export interface ListTasksResponse {
  readonly tasks: readonly Task[];
  /** Cursor of the next page; "" on the last one. */
  readonly nextPageToken: string;
  /** The size asked for, or the default. A page may hold fewer and have a next one. */
  readonly pageSize: number;
  /** How many tasks fit the request, before paging. */
  readonly totalSize: number;
}

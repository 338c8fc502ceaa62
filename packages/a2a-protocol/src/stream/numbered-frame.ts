import type { StreamResponse } from "./stream-response.ts";

/** One frame of a task with its sequence number, by which streams resume. */
export interface NumberedFrame {
  /** Sequence number in the task, increasing; numbers may skip (A20). The SSE `id:`. */
  readonly seq: number;
  /**
   * The frame. Executors should hand the same object to every reader of the same frame: the handler caches its
   * serialised form by identity.
   */
  readonly frame: StreamResponse;
}

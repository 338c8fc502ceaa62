/** One task as its callers hold it: a picture, a replay and a wait. */
import type { CommittedEvent, TaskView } from "../event/index.ts";
import type { Journal, TaskRecord } from "../journal/index.ts";

/** A handle on a task. Holding one costs nothing and keeps nothing alive but memory. */
export interface TaskHandle {
  readonly id: string;
  /** The committed picture; it changes under the reader, so copy what must stay. */
  readonly view: Readonly<TaskView>;
  /** The request's idempotency key named this task already: nothing new was accepted (ruling A15). */
  readonly repeated: boolean;
  /** The picture as of event `seq` (clamped to the present). */
  at(seq: number): Promise<Readonly<TaskView>>;
  /** Pages of events above `after`, past ones first, then live; ends once the task is settled (terminal or parked). */
  follow(after: number, signal: AbortSignal): AsyncIterable<readonly CommittedEvent[]>;
  /** Resolves once the task is terminal or parked. */
  settled(signal?: AbortSignal): Promise<Readonly<TaskView>>;
}

/** Wraps a record. */
export function taskHandle(journal: Journal, record: TaskRecord, repeated = false): TaskHandle {
  return {
    id: record.view.id,
    view: record.view,
    repeated,
    at: (seq) => journal.viewAt(record, seq),
    follow: (after, signal) => journal.follow(record, after, signal),
    settled: (signal) => journal.settled(record, signal),
  };
}

/** A task's view, its events, and waiting for its end. */
import type { CommittedEvent, TaskView } from "../event/index.ts";
import type { FollowOptions, Journal, TaskRecord } from "../journal/index.ts";

/** A handle on a task. Holding one costs memory only. */
export interface TaskHandle {
  readonly id: string;
  /** The committed view; it is mutated as events are committed, so copy what must not change. */
  readonly view: Readonly<TaskView>;
  /** The request's idempotency key named this task already: nothing new was accepted (A15). */
  readonly repeated: boolean;
  /** About how much memory the task takes. */
  readonly bytes: number;
  /** The view as of event `seq` (clamped to the present). */
  at(seq: number): Promise<Readonly<TaskView>>;
  /**
   * Pages of events above `after`, past ones first, then live; ends once the task is settled (terminal or parked), see
   * `untilTerminal`.
   */
  follow(after: number, signal: AbortSignal, options?: FollowOptions): AsyncIterable<readonly CommittedEvent[]>;
  /** Resolves once the task is terminal or parked. */
  settled(signal?: AbortSignal): Promise<Readonly<TaskView>>;
  /** Resolves once the task is terminal, however often it parks before. Rejects with the signal's reason. */
  ended(signal?: AbortSignal): Promise<Readonly<TaskView>>;
}

/** A handle on a record: a class, because thousands are made, and closures would keep them from early collection. */
class RecordHandle implements TaskHandle {
  readonly id: string;
  readonly view: Readonly<TaskView>;
  readonly repeated: boolean;
  readonly #journal: Journal;
  readonly #record: TaskRecord;

  constructor(journal: Journal, record: TaskRecord, repeated: boolean) {
    this.id = record.view.id;
    this.view = record.view;
    this.repeated = repeated;
    this.#journal = journal;
    this.#record = record;
  }

  get bytes(): number {
    return this.#record.bytes;
  }

  at(seq: number): Promise<Readonly<TaskView>> {
    return this.#journal.viewAt(this.#record, seq);
  }

  follow(after: number, signal: AbortSignal, options?: FollowOptions): AsyncIterable<readonly CommittedEvent[]> {
    return this.#journal.follow(this.#record, after, signal, options);
  }

  settled(signal?: AbortSignal): Promise<Readonly<TaskView>> {
    return this.#journal.settled(this.#record, signal);
  }

  ended(signal?: AbortSignal): Promise<Readonly<TaskView>> {
    return this.#journal.ended(this.#record, signal);
  }
}

export function taskHandle(journal: Journal, record: TaskRecord, repeated = false): TaskHandle {
  return new RecordHandle(journal, record, repeated);
}

import { applyEvent, type CommittedEvent, emptyView, isTerminalState, type TaskView } from "../event/index.ts";
import { Changes } from "./changes.ts";
import { EventPages } from "./event-pages.ts";
import { type EventSource, readEvents } from "./read-events.ts";
import type { TaskRecord } from "./task-record.ts";

/** Bytes of events in memory that a follower is handed at a time. */
const FOLLOWED_BYTES = 64 * 1024;

export interface FollowOptions {
  /** true: the model's reasoning is wanted as it comes, not with what is committed next. Default false. */
  readonly reasoning?: boolean | undefined;
  /** true: continues while the task is parked, and ends with its terminal state only. Default false. */
  readonly untilTerminal?: boolean | undefined;
}

/** Reads the events of a task: the newest from its record, older ones from the store. */
export class EventReader {
  readonly #source: EventSource;
  readonly #pages: EventPages;
  readonly #onUnfollowed: (record: TaskRecord) => void;

  /** `onUnfollowed` is called when the last follower of an ended task has left. */
  constructor(source: EventSource, onUnfollowed: (record: TaskRecord) => void) {
    this.#source = source;
    this.#pages = new EventPages((task, after, bounds) => readEvents(source, { task, after, bounds }));
    this.#onUnfollowed = onUnfollowed;
  }

  /** As `Journal.eventsAfter`. */
  async after(record: TaskRecord, after: number): Promise<readonly CommittedEvent[]> {
    const { id: task, seq: upTo } = record.view;
    return record.recent(after) ?? (await readEvents(this.#source, { task, after, upTo }));
  }

  /** As `Journal.viewAt`. */
  async viewAt(record: TaskRecord, seq: number): Promise<TaskView> {
    const upTo = Math.min(seq, record.view.seq);
    const view = emptyView(record.view.id);
    for (let after = 0; after < upTo; ) {
      const events = await this.after(record, after);
      if (events.length === 0) break;
      for (const event of events) {
        if (event.seq > upTo) return view;
        applyEvent(view, event);
      }
      after = events[events.length - 1]!.seq;
    }
    return view;
  }

  /** As `Journal.follow`. */
  async *follow(
    record: TaskRecord,
    after: number,
    signal: AbortSignal,
    { reasoning = false, untilTerminal = false }: FollowOptions = {},
  ): AsyncGenerator<readonly CommittedEvent[]> {
    let cursor = after;
    const changes = new Changes(record, signal);
    record.followers++;
    if (reasoning) record.reasoningFollowers++;
    record.deltaBuffer?.followed();
    try {
      while (!signal.aborted) {
        const events =
          record.recent(cursor, FOLLOWED_BYTES) ?? (await this.#pages.above(record.view.id, cursor, record.view.seq));
        if (events.length > 0) {
          cursor = events[events.length - 1]!.seq;
          yield events;
          continue;
        }
        // Retention may have removed what lay between; it continues at the present.
        if (cursor < record.view.seq) cursor = record.view.seq;
        const isOver = record.settled && (!untilTerminal || isTerminalState(record.view.state));
        if (isOver && cursor >= record.view.seq) return;
        await changes.next();
      }
    } finally {
      changes.close();
      record.followers--;
      if (reasoning) record.reasoningFollowers--;
      if (record.followers === 0 && isTerminalState(record.view.state)) this.#onUnfollowed(record);
    }
  }
}

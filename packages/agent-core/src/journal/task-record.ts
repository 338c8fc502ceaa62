/**
 * A task in memory: its committed view, the newest of its events, and the readers that wait for more.
 *
 * Invariants
 *  JO1  `view` and `tail` hold committed events only (EN1).
 *  JO2  `tail` is contiguous and ends at `view.seq`; what it lacks is in the store.
 *  JO3  `head` is the number of the last event given to the writer; it is ahead of `view.seq` by what is in flight.
 *  JO4  Memory is bounded: the tail by bytes, readers by a cursor each (they pull; nothing is queued for them). EN10.
 */
import type { Statement } from "../database/index.ts";
import { applyEvent, type CommittedEvent, isTerminalState, type TaskState, type TaskView } from "../event/index.ts";

/** The most bytes of event text a running task keeps for its readers; older events are read from the store. */
export const TAIL_BYTES = 256 * 1024;

/** Estimated memory of an empty record with its view. */
const BASE_BYTES = 2_048;

/**
 * Something that a task's end is also the end of. Asked again where the commit failed, and not at all where the task has left
 * memory or ends as it is accepted: whoever gives one has to make up for that.
 */
export interface TaskEnding {
  statements(state: TaskState): readonly Statement[];
}

/** A task in memory. */
export class TaskRecord {
  readonly view: TaskView;
  /** Whose it is, known before its first event is committed. */
  readonly class: string;
  /** JO3. */
  head: number;
  /** True once a terminal event was handed to the writer: no append is accepted after it. */
  ended: boolean;
  /** Appends in flight. */
  inflight = 0;
  /** The state the appends handed in so far lead to. */
  assigned: TaskState;
  /** True after a failed append until nothing is in flight (JO6). */
  broken = false;
  /** True while a turn owns the task; such a record is never evicted. */
  pinned = false;
  /** Changes in progress from outside the turn; such a record is never evicted either. */
  holds = 0;
  /** Clock time of the last use. */
  usedAt: number;
  /** Approximate bytes held by `view`. */
  viewBytes = 0;
  /** Bytes of events in flight. */
  arriving = 0;
  /** Readers following it now. */
  followers = 0;
  /** Those of them that want the model's reasoning as it comes (A14). */
  reasoningFollowers = 0;
  /**
   * Called when a follower arrives: held-back deltas are appended then. An object, not a function: with closures stored here
   * every task survived the young collections (measured with V8 13.6).
   */
  deltaBuffer: { followed(): void } | undefined = undefined;
  /** Asked, by each append that ends it, for what becomes durable with the end; an object for the same reason. */
  ending: TaskEnding | undefined = undefined;
  #tail: CommittedEvent[] = [];
  #tailSizes: number[] = [];
  #tailBytes = 0;
  #waiters: (() => void)[] = [];

  constructor(view: TaskView, now: number, callerClass = view.class) {
    this.view = view;
    this.class = callerClass;
    this.head = view.seq;
    this.assigned = view.state;
    this.ended = isTerminalState(view.state);
    this.usedAt = now;
  }

  /** Bytes this record is accounted with; objects and strings weigh about twice their text. */
  get bytes(): number {
    // What arrives will be in both.
    return 2 * (this.viewBytes + this.#tailBytes + 2 * this.arriving) + BASE_BYTES;
  }

  /** In use: it must not be evicted. */
  get busy(): boolean {
    return this.pinned || this.holds > 0 || this.inflight > 0 || this.followers > 0 || this.waiting;
  }

  /** A reader waits for its next change. */
  get waiting(): boolean {
    return this.#waiters.length > 0;
  }

  /** Nothing more will happen by itself: terminal or parked, and nothing in flight. */
  get settled(): boolean {
    return this.inflight === 0 && (this.view.state === "parked" || isTerminalState(this.view.state));
  }

  /** Takes events whose transaction is durable, with their sizes in bytes, and wakes the waiting (EN1). */
  publish(events: readonly CommittedEvent[], sizes: readonly number[]): void {
    for (let i = 0; i < events.length; i++) {
      const event = events[i]!;
      applyEvent(this.view, event);
      this.#tail.push(event);
      this.#tailSizes.push(sizes[i]!);
      this.#tailBytes += sizes[i]!;
      if (event.event.kind !== "tool.started" && event.event.kind !== "model.started") this.viewBytes += sizes[i]!;
    }
    this.#trim(TAIL_BYTES, events.length);
    if (isTerminalState(this.view.state) && this.followers === 0) this.#trim(0);
    this.wake();
  }

  /** Wakes everything that waits for a change. */
  wake(): void {
    if (this.#waiters.length === 0) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter();
  }

  /** Calls back once at the next change. */
  onChange(waiter: () => void): void {
    this.#waiters.push(waiter);
  }

  /** Removes a waiter that was not called yet. */
  offChange(waiter: () => void): void {
    const at = this.#waiters.indexOf(waiter);
    if (at >= 0) this.#waiters.splice(at, 1);
  }

  /**
   * Committed events after number `after` if memory has all of them, else undefined (read the store). `bytes`: a page of
   * so many, beyond it by one event at most.
   */
  recent(after: number, bytes = Number.POSITIVE_INFINITY): readonly CommittedEvent[] | undefined {
    if (after >= this.view.seq) return [];
    const first = this.#tail[0];
    if (first === undefined || first.seq > after + 1) return undefined;
    const start = after + 1 - first.seq;
    let end = start;
    for (let held = 0; end < this.#tail.length && held < bytes; end++) held += this.#tailSizes[end]!;
    return this.#tail.slice(start, end);
  }

  /** Drops what only followers need; called when the last one of an ended task leaves. */
  dropTail(): void {
    this.#trim(0);
  }

  /** The newest `kept` stay, however long they are: else each follower would read them from the store for itself. */
  #trim(limit: number, kept = 0): void {
    let drop = 0;
    const most = this.#tail.length - kept;
    while (this.#tailBytes > limit && drop < most) this.#tailBytes -= this.#tailSizes[drop++]!;
    if (drop === 0) return;
    this.#tail.splice(0, drop);
    this.#tailSizes.splice(0, drop);
  }
}

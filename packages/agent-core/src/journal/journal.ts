/**
 * The journal (EN1, EN2, EN3, EN10; R2): appends numbered events in the transaction of the state they
 * cause, tells readers after the commit, and replays.
 *
 * Invariants
 *  JO5  Appends of one task take effect in the order they were handed in; each is a compare-and-set on the task's last
 *       number, so an append after a failed one fails too and nothing is numbered twice.
 *  JO6  After a failed append the record is reset to what is committed once nothing is in flight.
 *  JO7  There is at most one record of a task in memory.
 */
import { ReleasingMap } from "../collection/index.ts";
import type { Database } from "../database/index.ts";
import { applyEvent, type CommittedEvent, emptyView, isTerminalState, type TaskView } from "../event/index.ts";
import { type Party, PartyCount, partyOf } from "../share/index.ts";
import type { Change, CommitListener, NewTask } from "./change.ts";
import { changed } from "./changed.ts";
import { Changes } from "./changes.ts";
import { EventPages } from "./event-pages.ts";
import { EvictedRecords } from "./evicted-records.ts";
import { JournalError } from "./journal-error.ts";
import { type PreparedEvents, prepareEvents } from "./prepare-events.ts";
import { readEvents } from "./read-events.ts";
import { createStatements, type Statements } from "./statements.ts";
import { TaskRecord } from "./task-record.ts";

/** Bytes of events in memory that a follower is handed at a time. */
const FOLLOWED_BYTES = 64 * 1024;

/** Options of a journal. */
export interface JournalOptions {
  readonly db: Database;
  readonly clock: { now(): number };
  /** Bytes of idle records kept for `tasks/get`. Default 1 MiB: what is read again is read soon, and the store answers in 0.1 ms. */
  readonly cacheBytes?: number;
  /** Milliseconds after which an idle record leaves memory (B20: one hour). */
  readonly evictAfterMs?: number;
}

/** How a task is followed. */
export interface FollowOptions {
  /** true: the model's reasoning is wanted as it comes, not with what is committed next. Default false. */
  readonly reasoning?: boolean | undefined;
  /** true: goes on while the task is parked, and ends with its terminal state only. Default false. */
  readonly untilTerminal?: boolean | undefined;
}

/** Appends, readers and the cache of recent tasks. */
export class Journal {
  readonly statements: Statements;
  readonly #db: Database;
  readonly #clock: { now(): number };
  readonly #cacheBytes: number;
  readonly #evictAfterMs: number;
  /** Insertion order is the order of last use. */
  readonly #records = new ReleasingMap<TaskRecord>();
  readonly #loading = new Map<string, Promise<TaskRecord | undefined>>();
  readonly #evicted = new EvictedRecords();
  readonly #pages = new EventPages((task, after, bounds) =>
    readEvents({ db: this.#db, statements: this.statements }, { task, after, bounds }),
  );
  readonly #listeners: CommitListener[] = [];
  readonly #bytes = new PartyCount();

  /** Bytes of the tasks in memory, about: those that run, wait, are followed or were read a short while ago. */
  get bytes(): number {
    return this.#bytes.all;
  }

  /** Those of them that a party holds. */
  bytesOf(party: Party): number {
    return this.#bytes[party];
  }

  constructor(options: JournalOptions) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#cacheBytes = options.cacheBytes ?? 1024 * 1024;
    this.#evictAfterMs = options.evictAfterMs ?? 3_600_000;
    this.statements = createStatements();
  }

  /** Adds a listener of commits; returns a function that removes it. */
  onCommit(listener: CommitListener): () => void {
    this.#listeners.push(listener);
    return () => {
      const at = this.#listeners.indexOf(listener);
      if (at >= 0) this.#listeners.splice(at, 1);
    };
  }

  /**
   * Adds a task with its first events; the record exists at once (pinned), the promise resolves when it is durable.
   * @throws DatabaseError through the promise; the record is forgotten then.
   */
  create(task: NewTask, change: Change): { record: TaskRecord; committed: Promise<void> } {
    const now = this.#clock.now();
    const record = new TaskRecord(emptyView(task.id), now, task.class);
    record.pinned = true;
    const prepared = prepareEvents(record, change.events, now);
    record.arriving = prepared.bytes;
    this.#remember(record);
    // A task can be over before it begins: a command.
    if (isTerminalState(record.assigned)) record.ended = true;
    const insert = this.statements.insertTask.bind({
      ...task,
      state: prepared.state ?? "queued",
      seq: record.head,
      at: now,
      parent: task.parent ?? null,
    });
    const statements = [insert, ...this.statements.insertEvents(task.id, prepared.rows), ...(change.statements ?? [])];
    record.inflight++;
    const committed = this.#db.commit({ label: change.label, statements }).then(
      () => this.#publish(record, prepared),
      (error: unknown) => {
        record.inflight--;
        record.ended = true;
        this.#forget(record);
        record.arriving = 0;
        record.wake();
        throw error;
      },
    );
    return { record, committed };
  }

  /**
   * Appends to an open task. Numbers are taken at once; resolves when durable and told.
   * @throws JournalError `task_ended` at once when a terminal event was handed in before (EN3)
   * @throws DatabaseError through the promise
   */
  append(record: TaskRecord, change: Change): Promise<void> {
    if (record.ended) return Promise.reject(new JournalError("task_ended", `task ${record.view.id} has ended`));
    const now = this.#clock.now();
    const from = record.head;
    const prepared = prepareEvents(record, change.events, now);
    const state = prepared.state;
    if (state !== undefined) {
      record.assigned = state;
      if (isTerminalState(state)) record.ended = true;
    }
    const expect = this.statements.advanceTask.bind({
      id: record.view.id,
      from,
      to: record.head,
      state: record.assigned,
      at: state === undefined ? null : now,
    });
    const statements = this.statements.insertEvents(record.view.id, prepared.rows);
    if (change.statements !== undefined) statements.push(...change.statements);
    record.inflight++;
    this.#weigh(record, () => (record.arriving += prepared.bytes));
    return this.#db.commit({ label: change.label, expect, statements }).then(
      () => this.#publish(record, prepared),
      (error: unknown) => {
        record.inflight--;
        this.#weigh(record, () => (record.arriving -= prepared.bytes));
        record.broken = true;
        if (record.inflight === 0) this.#reset(record);
        throw error;
      },
    );
  }

  /** The record of a task, from memory or the store. One that is being created is shown when its first events are (EN1). */
  get(id: string): TaskRecord | undefined | Promise<TaskRecord | undefined> {
    const known = this.#records.get(id) ?? this.#takeBack(id);
    if (known !== undefined) {
      known.usedAt = this.#clock.now();
      this.#records.delete(id);
      this.#records.set(id, known);
      return known.view.seq === 0 ? this.#created(known) : known;
    }
    const pending = this.#loading.get(id);
    if (pending !== undefined) return pending;
    const loading = this.#load(id).finally(() => this.#loading.delete(id));
    this.#loading.set(id, loading);
    return loading;
  }

  /** Committed events with numbers above `after`, in order, at most a page; empty when there are none (yet). */
  async eventsAfter(record: TaskRecord, after: number): Promise<readonly CommittedEvent[]> {
    return record.recent(after) ?? (await this.#readPage(record.view.id, after, record.view.seq));
  }

  /** The picture as of event `seq` (clamped to the present). */
  async viewAt(record: TaskRecord, seq: number): Promise<TaskView> {
    const upTo = Math.min(seq, record.view.seq);
    const view = emptyView(record.view.id);
    for (let after = 0; after < upTo; ) {
      const events = await this.eventsAfter(record, after);
      if (events.length === 0) break;
      for (const event of events) {
        if (event.seq > upTo) return view;
        applyEvent(view, event);
      }
      after = events[events.length - 1]!.seq;
    }
    return view;
  }

  /**
   * Events with numbers above `after`, first from the past, then live, in pages; ends once the task is settled (or, if
   * asked, terminal) and everything was handed out, or when aborted. The reader's pull is the backpressure (JO4).
   */
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
    record.audience?.followed();
    try {
      while (!signal.aborted) {
        const events =
          record.recent(cursor, FOLLOWED_BYTES) ?? (await this.#pages.above(record.view.id, cursor, record.view.seq));
        if (events.length > 0) {
          cursor = events[events.length - 1]!.seq;
          yield events;
          continue;
        }
        // Retention may have removed what lay between; the present is where it goes on.
        if (cursor < record.view.seq) cursor = record.view.seq;
        const isOver = record.settled && (!untilTerminal || isTerminalState(record.view.state));
        if (isOver && cursor >= record.view.seq) return;
        await changes.next();
      }
    } finally {
      changes.close();
      record.followers--;
      if (reasoning) record.reasoningFollowers--;
      if (record.followers === 0 && isTerminalState(record.view.state)) this.#dropTail(record);
    }
  }

  /** Resolves once the task is terminal or parked with nothing in flight; rejects with the signal's reason. */
  async settled(record: TaskRecord, signal?: AbortSignal): Promise<TaskView> {
    while (!record.settled) {
      signal?.throwIfAborted();
      await changed(record, signal);
    }
    return record.view;
  }

  /** Resolves once the task is terminal with nothing in flight; rejects with the signal's reason. */
  async ended(record: TaskRecord, signal?: AbortSignal): Promise<TaskView> {
    while (!(record.settled && isTerminalState(record.view.state))) {
      signal?.throwIfAborted();
      await changed(record, signal);
    }
    return record.view;
  }

  /** Ids of every task that is not terminal, oldest first. */
  async openTaskIds(): Promise<string[]> {
    const rows = await this.#db.read(this.statements.selectOpenTasks.bind({}));
    return rows.map((row) => String(row[0]));
  }

  /** What was stored as a task's options. */
  async optionsOf(id: string): Promise<string | undefined> {
    const [row] = await this.#db.read(this.statements.selectTask.bind({ id }));
    return row === undefined ? undefined : String(row[5]);
  }

  /** Keeps a record in memory until as many calls of `unhold`: somebody is changing its task. */
  hold(record: TaskRecord): void {
    record.holds++;
  }

  /** Ends a `hold`. */
  unhold(record: TaskRecord): void {
    record.holds--;
    this.#letGo(record);
  }

  /** The task has no owner any more that needs the record in memory. */
  release(record: TaskRecord): void {
    record.pinned = false;
    this.#letGo(record);
  }

  /** Forgets a task whose rows were removed; one that is followed leaves with its last follower. */
  drop(id: string): void {
    const record = this.#records.get(id);
    if (record !== undefined) this.#letGo(record);
  }

  /** Drops records that have not been used for an hour (B20). Called by the owner's timer. */
  sweep(): void {
    const before = this.#clock.now() - this.#evictAfterMs;
    for (const record of this.#records.values()) {
      if (record.usedAt > before) break;
      if (!record.busy) this.#forget(record);
    }
    this.#evicted.prune();
  }

  /**
   * An ended task that nobody reads leaves memory at once: what is read again is cached then, and thousands of finished
   * tasks that nobody asks for do not fill the heap.
   */
  #letGo(record: TaskRecord): void {
    if (record.busy) return;
    record.usedAt = this.#clock.now();
    if (record.ended) this.#forget(record);
    else if (this.#records.delete(record.view.id)) this.#records.set(record.view.id, record);
    this.#evict();
  }

  #publish(record: TaskRecord, prepared: PreparedEvents): void {
    record.inflight--;
    this.#weigh(record, () => {
      record.arriving -= prepared.bytes;
      record.publish(prepared.committed, prepared.sizes);
    });
    if (record.broken && record.inflight === 0) this.#reset(record);
    for (const listener of this.#listeners) listener(record, prepared.committed);
    if (this.bytes > this.#cacheBytes) this.#evict();
  }

  #reset(record: TaskRecord): void {
    record.broken = false;
    record.head = record.view.seq;
    record.assigned = record.view.state;
    record.ended = isTerminalState(record.view.state);
    record.wake();
  }

  async #load(id: string): Promise<TaskRecord | undefined> {
    const [row] = await this.#db.read(this.statements.selectTask.bind({ id }));
    if (row === undefined) return undefined;
    const view = emptyView(id);
    let bytes = 0;
    for (;;) {
      const page = await this.#readPage(id, view.seq, Number.MAX_SAFE_INTEGER);
      if (page.length === 0) break;
      for (const event of page) applyEvent(view, event);
      bytes += 64 * page.length;
    }
    const record = new TaskRecord(view, this.#clock.now());
    record.viewBytes = bytes + view.text.length + JSON.stringify([view.answer, view.history, view.components]).length;
    this.#remember(record);
    this.#evict();
    return record;
  }

  #readPage(task: string, after: number, upTo: number): Promise<readonly CommittedEvent[]> {
    return readEvents({ db: this.#db, statements: this.statements }, { task, after, upTo });
  }

  /** Readers of the store can know of a task before its creator does. */
  async #created(record: TaskRecord): Promise<TaskRecord | undefined> {
    while (record.view.seq === 0 && record.inflight > 0) await changed(record);
    return record.view.seq === 0 ? undefined : record;
  }

  #dropTail(record: TaskRecord): void {
    this.#weigh(record, () => record.dropTail());
  }

  /** Does something to a record that changes what it weighs. */
  #weigh(record: TaskRecord, change: () => void): void {
    const before = record.bytes;
    change();
    if (this.#records.get(record.view.id) === record) this.#bytes[partyOf(record.class)] += record.bytes - before;
  }

  #remember(record: TaskRecord): void {
    this.#records.set(record.view.id, record);
    this.#bytes[partyOf(record.class)] += record.bytes;
  }

  #takeBack(id: string): TaskRecord | undefined {
    const record = this.#evicted.take(id);
    if (record !== undefined) this.#remember(record);
    return record;
  }

  #forget(record: TaskRecord): void {
    if (!this.#records.delete(record.view.id)) return;
    this.#bytes[partyOf(record.class)] -= record.bytes;
    this.#evicted.add(record);
  }

  #evict(): void {
    if (this.bytes <= this.#cacheBytes) return;
    for (const record of this.#records.values()) {
      if (record.busy) continue;
      this.#forget(record);
      if (this.bytes <= this.#cacheBytes * 0.9) return;
    }
  }
}

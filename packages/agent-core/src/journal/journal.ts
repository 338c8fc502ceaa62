/**
 * The journal (EN1, EN2, EN3, EN10; R2): appends numbered events in the transaction of the state they
 * cause, publishes them to readers after the commit, and replays.
 *
 * Invariants
 *  JO5  Appends of one task take effect in the order of the calls; each is a compare-and-set on the task's last
 *       number, so an append after a failed one fails too and nothing is numbered twice.
 *  JO6  After a failed append the record is reset to what is committed once nothing is in flight.
 *  JO7  There is at most one record of a task in memory.
 */
import type { Database } from "../database/index.ts";
import { applyEvent, type CommittedEvent, emptyView, isTerminalState, type TaskView } from "../event/index.ts";
import type { Party } from "../share/index.ts";
import type { Change, CommitListener, NewTask } from "./change.ts";
import { changed } from "./changed.ts";
import { EventReader, type FollowOptions } from "./event-reader.ts";
import { JournalError } from "./journal-error.ts";
import { type PreparedEvents, prepareEvents } from "./prepare-events.ts";
import { readEvents } from "./read-events.ts";
import { RecordCache } from "./record-cache.ts";
import { createStatements, type Statements } from "./statements.ts";
import { TaskRecord } from "./task-record.ts";

export interface JournalOptions {
  readonly db: Database;
  readonly clock: { now(): number };
  /** Bytes of idle records kept for `tasks/get`. Default 1 MiB: what is read again is read soon, and the store answers in 0.1 ms. */
  readonly cacheBytes?: number;
  /** Milliseconds after which an idle record leaves memory (B20: one hour). */
  readonly evictAfterMs?: number;
}

/** Appends, readers and the cache of recent tasks. */
export class Journal {
  readonly statements: Statements;
  readonly #db: Database;
  readonly #clock: { now(): number };
  readonly #records: RecordCache;
  readonly #loading = new Map<string, Promise<TaskRecord | undefined>>();
  readonly #reader: EventReader;
  readonly #listeners: CommitListener[] = [];

  /** Bytes of the tasks in memory, about: those that run, wait, are followed or were read a short while ago. */
  get bytes(): number {
    return this.#records.bytes;
  }

  /** Those of them that a party holds. */
  bytesOf(party: Party): number {
    return this.#records.bytesOf(party);
  }

  constructor(options: JournalOptions) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.statements = createStatements();
    this.#records = new RecordCache({
      clock: options.clock,
      maxBytes: options.cacheBytes ?? 1024 * 1024,
      evictAfterMs: options.evictAfterMs ?? 3_600_000,
    });
    this.#reader = new EventReader({ db: options.db, statements: this.statements }, (record) =>
      this.#records.resize(record, () => record.dropTail()),
    );
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
    this.#records.add(record);
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
        this.#records.remove(record);
        record.arriving = 0;
        record.wake();
        throw error;
      },
    );
    return { record, committed };
  }

  /**
   * Appends to an open task. Numbers are taken at once; resolves when durable and published.
   * @throws JournalError `task_ended` at once when a terminal event was appended before (EN3)
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
    if (record.ended && record.ending !== undefined) statements.push(...record.ending.statements(record.assigned));
    record.inflight++;
    this.#records.resize(record, () => (record.arriving += prepared.bytes));
    return this.#db.commit({ label: change.label, expect, statements }).then(
      () => this.#publish(record, prepared),
      (error: unknown) => {
        record.inflight--;
        this.#records.resize(record, () => (record.arriving -= prepared.bytes));
        record.broken = true;
        if (record.inflight === 0) this.#reset(record);
        throw error;
      },
    );
  }

  /** The record of a task, from memory or the store. One that is being created is shown when its first events are (EN1). */
  get(id: string): TaskRecord | undefined | Promise<TaskRecord | undefined> {
    const known = this.#records.get(id);
    if (known !== undefined) return known.view.seq === 0 ? this.#created(known) : known;
    const pending = this.#loading.get(id);
    if (pending !== undefined) return pending;
    const loading = this.#load(id).finally(() => this.#loading.delete(id));
    this.#loading.set(id, loading);
    return loading;
  }

  /** Committed events with numbers above `after`, in order, at most a page; empty when there are none (yet). */
  eventsAfter(record: TaskRecord, after: number): Promise<readonly CommittedEvent[]> {
    return this.#reader.after(record, after);
  }

  /** The view as of event `seq` (clamped to the present). */
  viewAt(record: TaskRecord, seq: number): Promise<TaskView> {
    return this.#reader.viewAt(record, seq);
  }

  /**
   * Events with numbers above `after`, first from the past, then live, in pages; ends once the task is settled (or, if
   * asked, terminal) and everything was handed out, or when aborted. The reader's pull is the backpressure (JO4).
   */
  follow(
    record: TaskRecord,
    after: number,
    signal: AbortSignal,
    options?: FollowOptions,
  ): AsyncGenerator<readonly CommittedEvent[]> {
    return this.#reader.follow(record, after, signal, options);
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

  /** Keeps a record in memory, while its task is changed, until as many calls of `unhold`. */
  hold(record: TaskRecord): void {
    record.holds++;
  }

  /** Ends a `hold`. */
  unhold(record: TaskRecord): void {
    record.holds--;
    this.#records.release(record);
  }

  /** The task has no owner any more that needs the record in memory. */
  release(record: TaskRecord): void {
    record.pinned = false;
    this.#records.release(record);
  }

  /** Forgets a task whose rows were removed; one that is followed leaves with its last follower. */
  drop(id: string): void {
    this.#records.releaseTask(id);
  }

  /** Drops records that have not been used for an hour (B20). Called by the owner's timer. */
  sweep(): void {
    this.#records.sweep();
  }

  #publish(record: TaskRecord, prepared: PreparedEvents): void {
    record.inflight--;
    this.#records.resize(record, () => {
      record.arriving -= prepared.bytes;
      record.publish(prepared.committed, prepared.sizes);
    });
    if (record.broken && record.inflight === 0) this.#reset(record);
    if (isTerminalState(record.view.state)) record.ending = undefined;
    for (const listener of this.#listeners) listener(record, prepared.committed);
    this.#records.evict();
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
      const page = await readEvents({ db: this.#db, statements: this.statements }, { task: id, after: view.seq });
      if (page.length === 0) break;
      for (const event of page) applyEvent(view, event);
      bytes += 64 * page.length;
    }
    const record = new TaskRecord(view, this.#clock.now());
    record.viewBytes = bytes + view.text.length + JSON.stringify([view.answer, view.history, view.components]).length;
    this.#records.add(record);
    this.#records.evict();
    return record;
  }

  /** Readers of the store can know of a task before its creator does. */
  async #created(record: TaskRecord): Promise<TaskRecord | undefined> {
    while (record.view.seq === 0 && record.inflight > 0) await changed(record);
    return record.view.seq === 0 ? undefined : record;
  }
}

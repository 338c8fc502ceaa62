/**
 * Runs turns: one at a time per context, a bounded number at a time, each with its abort signal (EN4, EN11; A8, R5).
 *
 * Invariants
 *  TU1  A task that was acknowledged has an owner: a running turn, a queue, a person, or a stated end.
 *  TU2  A turn's loop is the only writer of its task while it runs, except for the one change that ends it.
 *  TU3  A record is pinned in memory from the moment it is queued until its turn is over.
 */

import { sleep } from "../clock/index.ts";
import { ReleasingMap } from "../collection/index.ts";
import { DatabaseError, isStoreGone, isStoreUnavailable } from "../database/index.ts";
import { type DelegationFinished, isTerminalState } from "../event/index.ts";
import { JournalError, type TaskRecord } from "../journal/index.ts";
import { stackOf } from "../log/index.ts";
import {
  type EndReason,
  endChange,
  INTERNAL_FAILURE,
  runTurn,
  type SteeringRow,
  type TurnDeps,
  type TurnEnd,
  type TurnState,
} from "../turn/index.ts";
import { contextKey, type QueueEntry, workingSlot } from "./queue-entry.ts";
import { hasDoneNothing, lastStateOf, resumeTurn, type TurnFrame } from "./resume-turn.ts";
import { silentTurns } from "./silent-turns.ts";
import type { TurnBounds } from "./turn-bounds.ts";
import { TurnQueue } from "./turn-queue.ts";

/** Attempts to end a task while others change it. */
const MAX_RACES = 5;
/** Milliseconds between attempts while the store cannot take writes. */
const RETRY_MS = 1_000;

interface Running {
  readonly record: TaskRecord;
  readonly key: string;
  readonly controller: AbortController;
  /** Absent while the turn's state is being restored. */
  state: TurnState | undefined;
}

export interface TurnRunnerOptions {
  readonly deps: TurnDeps;
  readonly bounds: () => TurnBounds;
  /** Steering of a context, handed over once. */
  readonly takeSteering: (key: string) => readonly SteeringRow[];
  /** A turn ended or parked and has left its context. */
  readonly onEnded: (record: TaskRecord) => void;
  /** Called with a failure that no task can be ended with. */
  readonly onFatal: (error: unknown) => void;
}

/** The turns of one store. */
export class TurnRunner {
  /** Which turns run and which wait. */
  readonly queue: TurnQueue;
  readonly #options: TurnRunnerOptions;
  readonly #deps: TurnDeps;
  readonly #running = new ReleasingMap<Running>();
  #idle: (() => void)[] = [];

  constructor(options: TurnRunnerOptions) {
    this.#options = options;
    this.#deps = options.deps;
    this.queue = new TurnQueue(options.bounds, () => options.deps.clock.now());
  }

  /**
   * Starts a task at once in a free context; its acceptance is being committed and `prepare` makes the turn's state
   * afterwards, for which it has a slot if it `reads` its conversation. Resolves when committed; rejects with
   * what `committed` rejects with, and nothing runs then.
   */
  async runNow(
    record: TaskRecord,
    { reads, ...entry }: QueueEntry & { readonly reads: boolean },
    committed: Promise<void>,
    prepare: (frame: TurnFrame) => TurnState | Promise<TurnState>,
  ): Promise<void> {
    const { key } = entry;
    record.pinned = true;
    this.queue.take({ ...entry, id: record.view.id, run: () => {} }, reads);
    const running = this.#own(record, key);
    try {
      await committed;
    } catch (error) {
      this.#leave(running);
      throw error;
    }
    this.#launch(running, prepare);
  }

  /**
   * Queues a task whose acceptance is being committed; when it may run it is restored from the store. Resolves when
   * committed; rejects with what `committed` rejects with, and it leaves the queue then.
   */
  async enqueue(record: TaskRecord, entry: QueueEntry, committed: Promise<void>, afterCrash = false): Promise<void> {
    const { key } = entry;
    const id = record.view.id;
    record.pinned = true;
    const run = (): void => {
      committed.then(
        () => this.#launch(this.#own(record, key), (frame) => resumeTurn(frame, this.#deps, afterCrash)),
        () => {},
      );
    };
    this.queue.enter({ ...entry, id, run });
    try {
      await committed;
    } catch (error) {
      this.queue.leave(id, key);
      this.#deps.journal.release(record);
      throw error;
    }
  }

  /**
   * Ends a task, whatever it is doing; durable when it resolves. A task that has ended stays as it ended (EN3). A running
   * turn is aborted at once, so its end is tried until the store takes it (TU1); with `once` it is left to the next boot.
   * @throws DatabaseError when the store cannot take it; nothing has changed then, unless a turn was aborted `once`
   */
  async end(record: TaskRecord, reason: EndReason, { once = false } = {}): Promise<void> {
    this.#deps.journal.hold(record);
    try {
      let aborted: Running | undefined;
      for (let races = 0; ; ) {
        const attempt = await this.#tryToEnd(record, reason, aborted);
        aborted = attempt.aborted;
        if (attempt.error === undefined) return;
        const { code } = attempt.error;
        const raced = code === "task_ended" || code === "expectation_failed";
        const later = isStoreUnavailable(attempt.error) && aborted !== undefined && !once;
        if (raced && races++ < MAX_RACES) await this.#visible(record);
        else if (later) await sleep(this.#deps.clock, RETRY_MS);
        else throw attempt.error;
      }
    } finally {
      this.#deps.journal.unhold(record);
    }
  }

  /**
   * `aborted`: the turn that was aborted, in an earlier attempt or in this one. `error`: the store's; absent: the task has
   * ended.
   */
  async #tryToEnd(
    record: TaskRecord,
    reason: EndReason,
    before: Running | undefined,
  ): Promise<{ aborted: Running | undefined; error?: DatabaseError | JournalError }> {
    const { id } = record.view;
    for (let aborted = before; ; ) {
      if (record.assigned === "parked" || record.ended) await this.#visible(record);
      if (isTerminalState(record.view.state)) return { aborted };
      const owner = this.#running.get(id);
      owner?.controller.abort(new DOMException(reason.kind, "AbortError"));
      aborted = owner ?? aborted;
      // An aborted loop ends; its state has what it did, of which the store may lack a part.
      const running = record.assigned === "parked" ? undefined : aborted;
      let delegations: readonly DelegationFinished[];
      try {
        delegations = await this.#endDelegated(record, running?.state, reason);
      } catch (error) {
        return { aborted, error: storeErrorOf(error) };
      }
      if (running?.state === undefined) await this.#visible(record);
      const { head } = record;
      const state = running?.state ?? (await lastStateOf(record, this.#deps));
      // What was read is void if anything happened meanwhile.
      const now = this.#running.get(id);
      const moved = record.head !== head || (now !== undefined && now !== owner);
      if (record.ended || moved || (running !== undefined && record.assigned === "parked")) continue;
      const context = { statements: this.#deps.journal.statements, now: this.#deps.clock.now(), delegations };
      try {
        await this.#deps.journal.append(record, endChange(record, state, reason, context));
      } catch (error) {
        return { aborted, error: storeErrorOf(error) };
      }
      if (owner === undefined) this.#leaveQueue(record);
      return { aborted };
    }
  }

  /** What a task delegated ends before it does, so that its account is whole (A11). */
  async #endDelegated(
    record: TaskRecord,
    state: TurnState | undefined,
    reason: EndReason,
  ): Promise<readonly DelegationFinished[]> {
    const { delegated } = this.#deps;
    if (delegated === undefined || hasDoneNothing(record)) return [];
    return delegated.end(record.view, state?.account.billed ?? new Set(record.view.billed), reason);
  }

  /** Ends running turns that showed no sign of life for the limit (R5). */
  endSilent(): void {
    const { limits, clock, delegated } = this.#deps;
    const waits = (id: string): boolean => delegated?.waits(id) === true || this.queue.waitsForSlot(id);
    for (const { record, failure } of silentTurns(this.#running, { limits, now: clock.now(), waits })) {
      this.end(record, { kind: "failed", failure }).catch(this.#options.onFatal);
    }
  }

  /** The task that runs in a context. */
  runningIn(key: string): string | undefined {
    for (const { key: held, record } of this.#running.values()) if (held === key) return record.view.id;
    return undefined;
  }

  /** Resolves once no turn runs, at the latest after `ms`. */
  async idle(ms: number): Promise<void> {
    if (this.#running.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = this.#deps.clock.setTimeout(resolve, ms);
      this.#idle.push(() => {
        timer.cancel();
        resolve();
      });
    });
  }

  /** Stops the loops without an event: the next process takes the tasks over (A18, `resume`). */
  abandon(): void {
    for (const { controller } of this.#running.values())
      controller.abort(new DOMException("shutting down", "AbortError"));
  }

  #own(record: TaskRecord, key: string): Running {
    const running: Running = { record, key, controller: new AbortController(), state: undefined };
    this.#running.set(record.view.id, running);
    return running;
  }

  #leave({ record, key }: Running): void {
    this.#running.delete(record.view.id);
    this.queue.leave(record.view.id, key);
    this.#deps.journal.release(record);
    if (this.#running.size > 0) return;
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }

  /** Removes a task that ended while no loop owned it. */
  #leaveQueue(record: TaskRecord): void {
    const { id } = record.view;
    if (this.#running.has(id)) return;
    this.queue.leave(id, contextKey(record.view));
    this.#deps.journal.release(record);
    this.#options.onEnded(record);
  }

  #launch(running: Running, prepare: (frame: TurnFrame) => TurnState | Promise<TurnState>): void {
    this.#drive(running, prepare).then(
      (end) => {
        this.#leave(running);
        if (end !== "detached" || running.record.ended) this.#options.onEnded(running.record);
      },
      (error: unknown) => {
        const gone = running.controller.signal.aborted || isStoreGone(error);
        running.controller.abort(error);
        this.#leave(running);
        if (!gone) this.#giveUp(running.record, error);
      },
    );
  }

  /** A turn could not be begun or ended: the task fails if the store takes that, else the failure is fatal. */
  #giveUp(record: TaskRecord, error: unknown): void {
    this.#deps.log.warn(`task ${record.view.id}: ${stackOf(error)}`);
    this.end(record, { kind: "failed", failure: INTERNAL_FAILURE }).catch(this.#options.onFatal);
  }

  async #drive(running: Running, prepare: (frame: TurnFrame) => TurnState | Promise<TurnState>): Promise<TurnEnd> {
    const { record, key, controller } = running;
    const { signal } = controller;
    const slot = workingSlot(this.queue, record.view.id, signal);
    const frame = { record, signal, slot, takeSteering: () => this.#options.takeSteering(key) };
    const prepared = prepare(frame);
    const state = prepared instanceof Promise ? await prepared : prepared;
    if (controller.signal.aborted) return "detached";
    running.state = state;
    return runTurn(state, this.#deps);
  }

  async #visible(record: TaskRecord): Promise<void> {
    while (record.inflight > 0) await new Promise<void>((resolve) => record.onChange(resolve));
  }
}

/** The error of the store or the journal. @throws any other error */
function storeErrorOf(error: unknown): DatabaseError | JournalError {
  if (error instanceof DatabaseError || error instanceof JournalError) return error;
  throw error;
}

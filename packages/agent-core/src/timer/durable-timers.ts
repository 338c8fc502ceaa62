/**
 * Timers that survive the process: each fires once, whenever the process is killed (B85).
 *
 * Invariants
 *  DT1  A timer that was set fires, if late: its row leaves, or moves, in the commit of what it starts, or leaves when it is
 *       cancelled (EN9).
 *  DT2  It fires once. Setting one again under an id that has fired changes nothing for as long as its key is kept.
 *  DT3  At most 8 fire at once, each never beside itself (`Agenda`).
 *  DT4  There are at most 10,000 of a kind.
 */

import type { EventBus } from "../bus/index.ts";
import type { Clock } from "../clock/index.ts";
import { commitIfExpected, type Database, type Statement } from "../database/index.ts";
import type { JsonObject } from "../json/index.ts";
import type { EngineLog } from "../log/index.ts";
import { Agenda } from "./agenda.ts";
import { type DurableTimer, type FireTimer, type SettleTimer, TooManyTimersError } from "./durable-timer.ts";
import { keyOf, TimerRows, timerOf } from "./timer-rows.ts";

export interface DurableTimersOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Pick<EngineLog, "warn" | "debug">;
  /** Gets `timer.set`, `timer.fired` and `timer.canceled`. */
  readonly bus: EventBus;
  /** The handler of a kind; undefined: its timers stay. */
  readonly fire: (kind: string) => FireTimer | undefined;
}

const MAX_OF_KIND = 10_000;
/** More than the kinds there are can have. */
const MAX_LOADED = 100_000;
const MAX_AT_ONCE = 8;
const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 300_000;

interface Held {
  readonly timer: DurableTimer;
  failures: number;
}

/** Sets, fires and cancels the timers of one store; a timer survives restarts. */
export class DurableTimers {
  readonly #options: DurableTimersOptions;
  readonly #rows = new TimerRows();
  readonly #held = new Map<string, Held>();
  readonly #kinds = new Map<string, number>();
  readonly #agenda: Agenda;
  /** Changes take effect in memory in the order they were committed. */
  #changes: Promise<unknown> = Promise.resolve();

  constructor(options: DurableTimersOptions) {
    this.#options = options;
    this.#agenda = new Agenda({ clock: options.clock, most: MAX_AT_ONCE, run: (id) => this.#fire(id) });
  }

  /** Takes over what a former process left. @throws DatabaseError */
  async start(): Promise<void> {
    for (const row of await this.#options.db.read(this.#rows.load(MAX_LOADED))) this.#hold(timerOf(row));
  }

  /** Fires nothing any more; resolves once nothing is being fired. */
  stop(): Promise<void> {
    return this.#agenda.stop();
  }

  /** Those of a conversation, in no particular order. */
  ofContext(conversation: Pick<DurableTimer, "class" | "context">): readonly DurableTimer[] {
    return [...this.#held.values()].map(({ timer }) => timer).filter((timer) => isAt(timer, conversation));
  }

  /**
   * Sets a timer; durable when it resolves. `alone`: the others of its kind in its conversation are canceled then. False: one
   * of this id is set already, or has fired.
   * @throws TooManyTimersError, DatabaseError
   */
  set(timer: DurableTimer, { alone = false } = {}): Promise<boolean> {
    return this.#inTurn(async () => {
      const { db, clock } = this.#options;
      this.#requireRoom(timer.kind);
      const expect = this.#rows.insert(timer, clock.now());
      const others = alone ? [this.#rows.removeOthers(timer)] : [];
      if (!(await commitIfExpected(db, { label: "timer.set", expect, statements: others }))) return false;
      if (alone) {
        for (const other of this.ofContext(timer)) if (other.kind === timer.kind) this.#release(other.id);
      }
      this.#announce(timer);
      return true;
    });
  }

  /**
   * Sets a timer, in the place of one of its id, in a commit of others: `commit` puts the statement into it. Where it rejects,
   * nothing changes. `commit` must not change timers itself.
   * @throws TooManyTimersError, and what `commit` throws
   */
  setWithin<T>(timer: DurableTimer, commit: (statement: Statement) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      if (this.#held.get(timer.id)?.timer.kind !== timer.kind) this.#requireRoom(timer.kind);
      const result = await commit(this.#rows.put(timer, this.#options.clock.now()));
      this.#announce(timer);
      return result;
    });
  }

  /** Takes a timer away in a commit of others, as `setWithin`. @throws what `commit` throws */
  cancelWithin<T>(id: string, commit: (statement: Statement) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      const result = await commit(this.#rows.remove(id));
      const held = this.#held.get(id);
      if (held !== undefined) this.#withdraw(held.timer);
      return result;
    });
  }

  /** Takes the timers of a conversation away; durable when it resolves. @throws DatabaseError */
  cancelOf(conversation: Pick<DurableTimer, "class" | "context">): Promise<void> {
    return this.#inTurn(async () => {
      const canceled = this.ofContext(conversation);
      const statements = [this.#rows.removeOfContext(conversation)];
      await this.#options.db.commit({ label: "timer.cancel", statements });
      for (const timer of canceled) this.#withdraw(timer);
    });
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const result = this.#changes.then(change);
    this.#changes = result.catch(() => {});
    return result;
  }

  #requireRoom(kind: string): void {
    if ((this.#kinds.get(kind) ?? 0) < MAX_OF_KIND) return;
    throw new TooManyTimersError(`${MAX_OF_KIND} timers of this kind are set already`);
  }

  #announce(timer: DurableTimer): void {
    const { clock, bus, log } = this.#options;
    this.#hold(timer);
    bus.publish("timer.set", about(timer));
    log.debug?.({ timer: timer.id, kind: timer.kind, wait_ms: timer.due - clock.now() }, "timer set");
  }

  #withdraw(timer: DurableTimer): void {
    this.#release(timer.id);
    this.#options.bus.publish("timer.canceled", about(timer));
  }

  #hold(timer: DurableTimer): void {
    if (this.#options.fire(timer.kind) === undefined) return;
    this.#release(timer.id);
    this.#held.set(timer.id, { timer, failures: 0 });
    this.#kinds.set(timer.kind, (this.#kinds.get(timer.kind) ?? 0) + 1);
    this.#agenda.set(timer.id, timer.due);
  }

  #release(id: string): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    const { kind } = held.timer;
    this.#held.delete(id);
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 1) - 1);
    this.#agenda.delete(id);
  }

  /** What is settled with a timer: itself, or what was put in its place for the same time before, as the row is found by its time. */
  #replacing(held: Held): () => Held {
    const { id, due } = held.timer;
    return () => {
      const now = this.#held.get(id);
      return now?.timer.due === due ? now : held;
    };
  }

  /** A timer that waits for what decides when it fires takes none of the places of those that fire. */
  #later(held: Held, at: number | Promise<number>): void {
    const { id } = held.timer;
    const set = (due: number): void => {
      if (this.#held.get(id) === held) this.#agenda.set(id, due);
    };
    if (typeof at === "number") set(at);
    else at.then(set, () => set(this.#options.clock.now() + FIRST_RETRY_MS));
  }

  async #fire(id: string): Promise<void> {
    const { fire, clock, log, bus } = this.#options;
    const held = this.#held.get(id);
    if (held === undefined) return;
    const { timer } = held;
    let moved: DurableTimer | undefined;
    let settled = held;
    const rows = this.#rows;
    const replaced = this.#replacing(held);
    const settle: SettleTimer = {
      get remove() {
        moved = undefined;
        settled = replaced();
        return rows.settle(timer);
      },
      moveTo(due, body = timer.body) {
        moved = { ...timer, due, body };
        settled = replaced();
        return rows.move(timer, moved);
      },
    };
    try {
      const later = await fire(timer.kind)?.(timer, settle, keyOf(id));
      if (later !== undefined) {
        this.#later(held, later.at);
        return;
      }
    } catch (error) {
      // One that was taken away or replaced meanwhile is not tried again.
      if (this.#held.get(id) !== held) return;
      held.failures++;
      const wait = Math.min(FIRST_RETRY_MS * 2 ** (held.failures - 1), MAX_RETRY_MS);
      this.#agenda.set(id, clock.now() + wait);
      log.warn(`timer ${id} (${timer.kind}) could not fire, again in ${wait / 1000} s: ${String(error)}`);
      return;
    }
    if (this.#held.get(id) === settled) {
      if (moved === undefined) this.#release(id);
      else this.#hold(moved);
    }
    bus.publish("timer.fired", about(timer));
    log.debug?.({ timer: id, kind: timer.kind, late_ms: clock.now() - timer.due }, "timer fired");
  }
}

function isAt(timer: DurableTimer, conversation: Pick<DurableTimer, "class" | "context">): boolean {
  return timer.class === conversation.class && timer.context === conversation.context;
}

function about({ id, kind, context, due }: DurableTimer): JsonObject {
  return { id, kind, session_id: context, due_at: new Date(due).toISOString() };
}

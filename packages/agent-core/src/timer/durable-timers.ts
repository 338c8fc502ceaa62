/**
 * Timers that survive the process: each fires once, whenever the process is killed (B85).
 *
 * Invariants
 *  DT1  A timer that was set fires, if late: its row leaves in the commit of what it starts, or when it is cancelled (EN9).
 *  DT2  It fires once. Setting one again under an id that has fired changes nothing for as long as its key is kept.
 *  DT3  In memory there is one timer of the clock, for the earliest; what is due at a time fires one after another.
 *  DT4  There are at most 10,000.
 */

import type { EventBus } from "../bus/index.ts";
import type { Clock, Timer } from "../clock/index.ts";
import { commitIfExpected, type Database, namedStatement, type Statement } from "../database/index.ts";
import { CodedError } from "../error/index.ts";
import type { JsonObject } from "../json/index.ts";
import type { EngineLog } from "../log/index.ts";

export interface DurableTimer {
  readonly id: string;
  /** Selects the handler that fires it. */
  readonly kind: string;
  /** The conversation it belongs to (A16). */
  readonly class: string;
  readonly context: string;
  /** Epoch milliseconds. */
  readonly due: number;
  readonly body: JsonObject;
}

/**
 * Handles a due timer. `settle` removes the timer and belongs into the commit of what it starts; `key` belongs to the
 * task it starts. A rejection leaves the timer, to be tried again later.
 */
export type FireTimer = (timer: DurableTimer, settle: Statement, key: string) => Promise<void>;

export interface DurableTimersOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Pick<EngineLog, "warn" | "debug">;
  /** Gets `timer.set`, `timer.fired` and `timer.canceled`. */
  readonly bus: EventBus;
  /** The handler of a kind; undefined: its timers stay. */
  readonly fire: (kind: string) => FireTimer | undefined;
}

/** No further timer can be set. */
export class TooManyTimersError extends CodedError<"timer.too-many"> {
  override readonly name = "TooManyTimersError";

  constructor(message: string, options?: ErrorOptions) {
    super("timer.too-many", message, options);
  }

  override get retryable(): boolean {
    return true;
  }
}

const MAX_TIMERS = 10_000;
/** The longest a clock's timer can be set for. */
const MAX_DELAY_MS = 2 ** 31 - 1;
const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 300_000;

const statements = () => ({
  load: namedStatement("SELECT id, kind, class, context, due_at, body FROM timer ORDER BY due_at, id LIMIT :most"),
  insert: namedStatement(
    `INSERT INTO timer (id, kind, class, context, due_at, body, created_at)
     SELECT :id, :kind, :class, :context, :due, :body, :at
     WHERE NOT EXISTS (SELECT 1 FROM idempotency WHERE class = :class AND key = :key)
     ON CONFLICT (id) DO NOTHING`,
  ),
  remove: namedStatement("DELETE FROM timer WHERE id = :id"),
  removeOthers: namedStatement(
    "DELETE FROM timer WHERE kind = :kind AND class = :class AND context = :context AND id <> :id",
  ),
  removeOfContext: namedStatement("DELETE FROM timer WHERE class = :class AND context = :context"),
});

/** The idempotency key of what a timer starts. */
function keyOf(id: string): string {
  return `timer ${id}`;
}

interface Held {
  readonly timer: DurableTimer;
  /** When it is tried: its due time, or later after failures. */
  at: number;
  failures: number;
}

/** Sets, fires and cancels the timers of one store; a timer survives restarts. */
export class DurableTimers {
  readonly #options: DurableTimersOptions;
  readonly #sql = statements();
  readonly #held = new Map<string, Held>();
  #clockTimer: Timer | undefined;
  #firing: Promise<void> | undefined;
  /** Changes take effect in memory in the order they were committed. */
  #changes: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(options: DurableTimersOptions) {
    this.#options = options;
  }

  /** Takes over what a former process left. @throws DatabaseError */
  async start(): Promise<void> {
    for (const row of await this.#options.db.read(this.#sql.load.bind({ most: MAX_TIMERS }))) {
      const [id, kind, caller, context, due, body] = row;
      const conversation = { class: String(caller), context: String(context) };
      this.#hold({ id: String(id), kind: String(kind), ...conversation, due: Number(due), body: bodyOf(body) });
    }
    this.#arm();
  }

  /** Fires nothing any more; resolves once nothing is being fired. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#clockTimer?.cancel();
    await this.#firing;
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
      const { db, clock, bus, log } = this.#options;
      const { id, kind, class: caller, context, due, body } = timer;
      if (this.#held.size >= MAX_TIMERS) throw new TooManyTimersError(`${MAX_TIMERS} timers are set already`);
      const conversation = { kind, class: caller, context };
      const expect = this.#sql.insert.bind({
        ...{ id, ...conversation, due, body: JSON.stringify(body), at: clock.now(), key: keyOf(id) },
      });
      const others = alone ? [this.#sql.removeOthers.bind({ id, ...conversation })] : [];
      if (!(await commitIfExpected(db, { label: "timer.set", expect, statements: others }))) return false;
      if (alone) {
        for (const other of this.ofContext(timer)) if (other.kind === kind) this.#held.delete(other.id);
      }
      this.#hold(timer);
      bus.publish("timer.set", about(timer));
      log.debug?.({ timer: id, kind, wait_ms: due - clock.now() }, "timer set");
      this.#arm();
      return true;
    });
  }

  /** Takes the timers of a conversation away; durable when it resolves. @throws DatabaseError */
  cancelOf(conversation: Pick<DurableTimer, "class" | "context">): Promise<void> {
    return this.#inTurn(async () => {
      const { db, bus } = this.#options;
      const canceled = this.ofContext(conversation);
      const { class: caller, context } = conversation;
      const remove = this.#sql.removeOfContext.bind({ class: caller, context });
      await db.commit({ label: "timer.cancel", statements: [remove] });
      for (const timer of canceled) {
        this.#held.delete(timer.id);
        bus.publish("timer.canceled", about(timer));
      }
      this.#arm();
    });
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const result = this.#changes.then(change);
    this.#changes = result.catch(() => {});
    return result;
  }

  #hold(timer: DurableTimer): void {
    if (this.#options.fire(timer.kind) === undefined) return;
    this.#held.set(timer.id, { timer, at: timer.due, failures: 0 });
  }

  #arm(): void {
    this.#clockTimer?.cancel();
    this.#clockTimer = undefined;
    if (this.#stopped || this.#firing !== undefined || this.#held.size === 0) return;
    const { clock } = this.#options;
    let earliest = Number.POSITIVE_INFINITY;
    for (const { at } of this.#held.values()) earliest = Math.min(earliest, at);
    const delay = Math.min(Math.max(0, earliest - clock.now()), MAX_DELAY_MS);
    this.#clockTimer = clock.setTimeout(() => this.#fireDue(), delay, { background: true });
  }

  #fireDue(): void {
    this.#firing = this.#fireEach().finally(() => {
      this.#firing = undefined;
      this.#arm();
    });
  }

  async #fireEach(): Promise<void> {
    const now = this.#options.clock.now();
    const due = [...this.#held.values()].filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
    for (const held of due) {
      if (this.#stopped) return;
      // What was taken away meanwhile is not fired.
      if (this.#held.get(held.timer.id) === held) await this.#fire(held);
    }
  }

  async #fire(held: Held): Promise<void> {
    const { fire, clock, log, bus } = this.#options;
    const { timer } = held;
    try {
      await fire(timer.kind)?.(timer, this.#sql.remove.bind({ id: timer.id }), keyOf(timer.id));
    } catch (error) {
      held.failures++;
      const wait = Math.min(FIRST_RETRY_MS * 2 ** (held.failures - 1), MAX_RETRY_MS);
      held.at = clock.now() + wait;
      log.warn(`timer ${timer.id} (${timer.kind}) could not fire, again in ${wait / 1000} s: ${String(error)}`);
      return;
    }
    if (this.#held.get(timer.id) === held) this.#held.delete(timer.id);
    bus.publish("timer.fired", about(timer));
    log.debug?.({ timer: timer.id, kind: timer.kind, late_ms: clock.now() - timer.due }, "timer fired");
  }
}

function isAt(timer: DurableTimer, conversation: Pick<DurableTimer, "class" | "context">): boolean {
  return timer.class === conversation.class && timer.context === conversation.context;
}

function about({ id, kind, context, due }: DurableTimer): JsonObject {
  return { id, kind, session_id: context, due_at: new Date(due).toISOString() };
}

function bodyOf(text: unknown): JsonObject {
  return JSON.parse(String(text)) as JsonObject;
}

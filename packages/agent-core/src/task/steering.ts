/**
 * Messages to a context that no model call has read yet (R8): rows in the store, and in memory in the order they
 * came, so that a turn takes them without a read.
 *
 * Invariants
 *  ST1 What is in memory is durable, and no turn has taken it; only what is in memory can be taken or withdrawn, without
 *      an await between, so a message is either read or withdrawn, never both.
 *  ST2 Messages of a context are taken in the order they were accepted.
 *  ST3 A context holds a bounded number, those being accepted counted in (EN10); one without any takes no memory.
 */
import type { EventBus } from "../bus/index.ts";
import { isConstraintError } from "../database/index.ts";
import type { CommittedEvent, InputMessage, TaskOrigin } from "../event/index.ts";
import { OPERATOR_CLASS, type Party, PartyCount, partyOf } from "../share/index.ts";
import type { SteeringRow, TurnDeps } from "../turn/index.ts";
import type { ContextName } from "./context-gate.ts";
import { contextKey } from "./queue-entry.ts";
import { keyRow, type RequestKey, resultByKey } from "./request-key.ts";
import { TaskError } from "./task-error.ts";

/** Steering rows of one context that may wait to be read. */
const MAX_PER_CONTEXT = 100;
/** Rows of a former process that are taken over. */
const MAX_LOADED = 10_000;

/** A message to a context, to be read by whatever runs there. */
export interface Steer {
  readonly class: string;
  readonly context: string;
  readonly origin: TaskOrigin;
  /** Its `messageId` is the name it is withdrawn by. */
  readonly input: InputMessage;
  /** Makes a repetition do nothing (A15). `class`: the caller's; `task`: the one accepted under the key. */
  readonly key?: RequestKey & { readonly class: string; readonly task: string };
}

/** A message that waits to be read. */
export interface PendingSteer {
  /** The `messageId` of its input. */
  readonly id: string;
  readonly input: InputMessage;
}

interface Waiting {
  rows: SteeringRow[];
  /** Messages that are being committed. */
  arriving: number;
}

/** The unread messages of all contexts. */
export class Steering {
  readonly #deps: TurnDeps;
  readonly #bus: EventBus;
  readonly #contexts = new Map<string, Waiting>();
  readonly #bytes = new PartyCount();
  /** Contexts of which messages were taken whose reading is not committed yet. */
  readonly #taken = new Set<string>();

  constructor(deps: TurnDeps, bus: EventBus) {
    this.#deps = deps;
    this.#bus = bus;
    deps.journal.onCommit(({ view }, events) => {
      if (this.#taken.size > 0 && events.some(isReading) && this.#taken.delete(contextKey(view))) this.#publish(view);
    });
  }

  /** Bytes of unread messages of a party's contexts, about. */
  bytesOf(party: Party): number {
    return this.#bytes[party];
  }

  /** Contexts with unread messages. */
  get contexts(): readonly ContextName[] {
    const keys = [...this.#contexts].flatMap(([key, { rows }]) => (rows.length > 0 ? [key.split("\u0000")] : []));
    return keys.map(([callerClass = "", context = ""]) => ({ class: callerClass, context }));
  }

  /** Unread messages of a context. */
  count(key: string): number {
    return this.#contexts.get(key)?.rows.length ?? 0;
  }

  /** Unread messages of a context, oldest first. */
  pending(key: string): readonly PendingSteer[] {
    return (this.#contexts.get(key)?.rows ?? []).map(({ body }) => {
      const input = JSON.parse(body) as InputMessage;
      return { id: input.messageId, input };
    });
  }

  /**
   * Accepts a message; durable when it resolves. False: its key was used for one that was accepted before.
   * @throws TaskError overloaded, key_conflict
   */
  async accept(steer: Steer): Promise<boolean> {
    const { key: asked, class: callerClass, context, input } = steer;
    const repeated = async (): Promise<boolean> =>
      asked !== undefined && (await resultByKey(this.#deps, asked.class, asked)) !== undefined;
    if (await repeated()) return false;
    const key = contextKey(steer);
    const waiting = this.#contexts.get(key) ?? { rows: [], arriving: 0 };
    if (waiting.rows.length + waiting.arriving >= MAX_PER_CONTEXT) {
      throw new TaskError("overloaded", `${MAX_PER_CONTEXT} messages wait to be read already`, 10);
    }
    this.#contexts.set(key, waiting);
    waiting.arriving++;
    const row: SteeringRow = { id: this.#deps.newId(), body: JSON.stringify(input) };
    this.#weigh(key, [row], 1);
    const at = this.#deps.clock.now();
    const { insertSteering } = this.#deps.journal.statements;
    const insert = insertSteering.bind({ ...row, class: callerClass, context, task: null, at });
    const keys = asked === undefined ? [] : [keyRow(this.#deps, asked.class, asked, asked.task)];
    try {
      await this.#deps.db.commit({ label: "task.steer", statements: [insert, ...keys] });
      waiting.rows.push(row);
      this.#publish(steer);
      return true;
    } catch (error) {
      this.#weigh(key, [row], -1);
      // Another request with the same key was accepted while this one waited.
      if (isConstraintError(error) && (await repeated())) return false;
      throw error;
    } finally {
      waiting.arriving--;
      this.#forgetIfEmpty(key, waiting);
    }
  }

  /** Hands the unread messages of a context over; the taker deletes their rows in its next commit. */
  take(key: string): readonly SteeringRow[] {
    const waiting = this.#contexts.get(key);
    if (waiting === undefined) return [];
    const { rows } = waiting;
    this.#weigh(key, rows, -1);
    waiting.rows = [];
    this.#forgetIfEmpty(key, waiting);
    if (rows.length > 0) this.#taken.add(key);
    return rows;
  }

  /** Forgets the unread messages of a context whose rows are being removed. */
  forget(key: string): void {
    this.#weigh(key, this.#contexts.get(key)?.rows ?? [], -1);
    this.#contexts.delete(key);
    this.#taken.delete(key);
  }

  /** Gives back what was taken and not read. */
  putBack(key: string, rows: readonly SteeringRow[]): void {
    if (rows.length === 0) return;
    this.#weigh(key, rows, 1);
    this.#taken.delete(key);
    const waiting = this.#contexts.get(key) ?? { rows: [], arriving: 0 };
    waiting.rows = [...waiting.rows, ...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
    this.#contexts.set(key, waiting);
  }

  /**
   * Withdraws an unread message; durable when it resolves. False: there is none by that name, any more.
   * @throws DatabaseError when the store cannot take it; the message waits on then
   */
  async withdraw(of: { readonly class: string; readonly context: string }, id: string): Promise<boolean> {
    const key = contextKey(of);
    const at = this.pending(key).findIndex((pending) => pending.id === id);
    const waiting = this.#contexts.get(key);
    if (at < 0 || waiting === undefined) return false;
    const [row] = waiting.rows.splice(at, 1);
    this.#weigh(key, [row!], -1);
    this.#forgetIfEmpty(key, waiting);
    const gone = this.#deps.journal.statements.deleteSteering.bind({ id: row!.id });
    try {
      await this.#deps.db.commit({ label: "task.unsteer", statements: [gone] });
      this.#publish(of);
      return true;
    } catch (error) {
      this.putBack(key, [row!]);
      throw error;
    }
  }

  /** Takes over what a former process left unread. */
  async load(): Promise<void> {
    const rows = await this.#deps.db.read(this.#deps.journal.statements.selectSteering.bind({ limit: MAX_LOADED }));
    for (const [id, callerClass, context, , body] of rows) {
      const key = contextKey({ class: String(callerClass), context: String(context) });
      this.putBack(key, [{ id: String(id), body: String(body) }]);
    }
  }

  #weigh(key: string, rows: readonly SteeringRow[], sign: 1 | -1): void {
    const party = partyOf(key.slice(0, key.indexOf("\u0000")));
    for (const { body } of rows) this.#bytes[party] += sign * 2 * body.length;
  }

  #publish(of: { readonly class: string; readonly context: string }): void {
    if (of.class !== OPERATOR_CLASS) return;
    const pending = this.count(contextKey(of));
    this.#bus.publish("steer.changed", { session_id: of.context, pending });
  }

  #forgetIfEmpty(key: string, waiting: Waiting): void {
    if (waiting.rows.length > 0 || waiting.arriving > 0) return;
    if (this.#contexts.get(key) === waiting) this.#contexts.delete(key);
  }
}

/** What was taken goes with one of these: into the running turn, or into one of its own. */
function isReading({ event: { kind } }: CommittedEvent): boolean {
  return kind === "input.consumed" || kind === "task.accepted";
}

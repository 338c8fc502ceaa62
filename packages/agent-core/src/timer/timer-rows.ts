import { namedStatement, type Row, type Statement } from "../database/index.ts";
import type { JsonObject } from "../json/index.ts";
import type { DurableTimer } from "./durable-timer.ts";

const statements = () => ({
  load: namedStatement("SELECT id, kind, class, context, due_at, body FROM timer ORDER BY due_at, id LIMIT :most"),
  insert: namedStatement(
    `INSERT INTO timer (id, kind, class, context, due_at, body, created_at)
     SELECT :id, :kind, :class, :context, :due, :body, :at
     WHERE NOT EXISTS (SELECT 1 FROM idempotency WHERE class = :class AND key = :key)
     ON CONFLICT (id) DO NOTHING`,
  ),
  put: namedStatement(
    `INSERT INTO timer (id, kind, class, context, due_at, body, created_at)
     VALUES (:id, :kind, :class, :context, :due, :body, :at)
     ON CONFLICT (id) DO UPDATE SET kind = :kind, class = :class, context = :context, due_at = :due, body = :body`,
  ),
  remove: namedStatement("DELETE FROM timer WHERE id = :id"),
  settle: namedStatement("DELETE FROM timer WHERE id = :id AND due_at = :due"),
  move: namedStatement("UPDATE timer SET due_at = :to, body = :body WHERE id = :id AND due_at = :due"),
  removeOthers: namedStatement(
    "DELETE FROM timer WHERE kind = :kind AND class = :class AND context = :context AND id <> :id",
  ),
  removeOfContext: namedStatement("DELETE FROM timer WHERE class = :class AND context = :context"),
});

/** The idempotency key of what a timer starts. */
export function keyOf(id: string): string {
  return `timer ${id}`;
}

/** The statements of the table of timers. */
export class TimerRows {
  readonly #sql = statements();

  load(most: number): Statement {
    return this.#sql.load.bind({ most });
  }

  /** Nothing where one of this id is set or has fired. */
  insert(timer: DurableTimer, at: number): Statement {
    return this.#sql.insert.bind({ ...columnsOf(timer), at, key: keyOf(timer.id) });
  }

  /** In the place of one of the same id. */
  put(timer: DurableTimer, at: number): Statement {
    return this.#sql.put.bind({ ...columnsOf(timer), at });
  }

  remove(id: string): Statement {
    return this.#sql.remove.bind({ id });
  }

  /** Removes a timer that fired, not one that was put in its place meanwhile. */
  settle({ id, due }: DurableTimer): Statement {
    return this.#sql.settle.bind({ id, due });
  }

  move({ id, due }: DurableTimer, to: Pick<DurableTimer, "due" | "body">): Statement {
    return this.#sql.move.bind({ id, due, to: to.due, body: JSON.stringify(to.body) });
  }

  removeOthers({ id, kind, class: caller, context }: DurableTimer): Statement {
    return this.#sql.removeOthers.bind({ id, kind, class: caller, context });
  }

  removeOfContext({ class: caller, context }: Pick<DurableTimer, "class" | "context">): Statement {
    return this.#sql.removeOfContext.bind({ class: caller, context });
  }
}

export function timerOf([id, kind, caller, context, due, body]: Row): DurableTimer {
  return {
    ...{ id: String(id), kind: String(kind), class: String(caller), context: String(context) },
    ...{ due: Number(due), body: JSON.parse(String(body)) as JsonObject },
  };
}

function columnsOf({ id, kind, class: caller, context, due, body }: DurableTimer) {
  return { id, kind, class: caller, context, due, body: JSON.stringify(body) };
}

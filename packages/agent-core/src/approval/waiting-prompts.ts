/** What waits for a person, of every task of the store, and what tasks stand above it (O3). */
import { type Database, namedStatement } from "../database/index.ts";
import type { PromptPayload, PromptReason, TaskOrigin } from "../event/index.ts";
import type { ApprovalPosition } from "./approval-grants.ts";

/** A task that waits for one it started. */
export interface ParentTask {
  readonly task: string;
  readonly context: string;
  readonly origin: TaskOrigin;
}

/** A prompt that waits for a person, with the task, caller class and context it belongs to. */
export interface WaitingPrompt {
  readonly id: string;
  readonly task: string;
  readonly class: string;
  readonly context: string;
  readonly origin: TaskOrigin;
  readonly reason: PromptReason;
  readonly payload: PromptPayload;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** The tasks above its own, nearest first. */
  readonly parents: readonly ParentTask[];
}

/** Levels of parent tasks listed with a prompt. */
const MAX_PARENTS = 16;

/** Which prompts; what is absent fits all. What is given fits one task together: the prompt's own, or one above it. */
export interface PromptFilter {
  readonly task?: string | undefined;
  /** A context belongs to its class (A16). */
  readonly context?: { readonly class: string; readonly id: string } | undefined;
}

const statements = () => ({
  page: namedStatement(
    `SELECT q.id, q.task, q.class, q.context, t.origin, t.parent, q.reason, q.payload, q.created_at
     FROM prompt q JOIN task t ON t.id = q.task
     WHERE q.state = 'pending' AND (q.created_at, q.id) < (:at, :before)
       AND (coalesce(:inTask, :inContext) IS NULL OR EXISTS (
         WITH RECURSIVE up (id, class, context, parent, level) AS (
           SELECT t.id, t.class, t.context, t.parent, 0
           UNION ALL
           SELECT p.id, p.class, p.context, p.parent, level + 1 FROM up JOIN task p ON p.id = up.parent
           WHERE level < ${MAX_PARENTS})
         SELECT 1 FROM up WHERE coalesce(id = :inTask, 1) AND coalesce(context = :inContext AND class = :ofClass, 1)))
     ORDER BY q.created_at DESC, q.id DESC LIMIT :limit`,
  ),
  count: namedStatement("SELECT count(*) FROM prompt WHERE state = 'pending'"),
  find: namedStatement("SELECT task, state FROM prompt WHERE id = :id"),
  tasks: namedStatement("SELECT id, context, origin, parent FROM task WHERE id IN (SELECT value FROM json_each(:ids))"),
});

export class WaitingPrompts {
  readonly #db: Database;
  readonly #sql = statements();

  constructor(db: Database) {
    this.#db = db;
  }

  /** How many wait. @throws DatabaseError */
  async count(): Promise<number> {
    const [row] = await this.#db.read(this.#sql.count.bind({}));
    return Number(row?.[0] ?? 0);
  }

  /** A page, newest first. @throws DatabaseError */
  async list(
    limit: number,
    before?: ApprovalPosition,
    { task: inTask, context: of }: PromptFilter = {},
  ): Promise<readonly WaitingPrompt[]> {
    const from = { at: before?.at ?? Number.MAX_SAFE_INTEGER, before: before?.id ?? "" };
    const which = { inTask: inTask ?? null, inContext: of?.id ?? null, ofClass: of?.class ?? null };
    const rows = await this.#db.read(this.#sql.page.bind({ ...from, ...which, limit }));
    const above = await this.#above(rows.map((row) => row[5]));
    return rows.map(([id, task, caller, context, origin, parent, reason, payload, at]) => ({
      id: String(id),
      task: String(task),
      class: String(caller),
      context: String(context),
      origin: origin as TaskOrigin,
      reason: reason as PromptReason,
      payload: JSON.parse(String(payload)) as PromptPayload,
      createdAt: Number(at),
      parents: chainOf(parent, above),
    }));
  }

  /** The task of a prompt and whether it waits still; undefined: there is no such prompt. @throws DatabaseError */
  async find(id: string): Promise<{ readonly task: string; readonly waits: boolean } | undefined> {
    const [row] = await this.#db.read(this.#sql.find.bind({ id }));
    return row === undefined ? undefined : { task: String(row[0]), waits: row[1] === "pending" };
  }

  /** The tasks above, a level at a time: a page of prompts asks for as many levels as it has, mostly none. */
  async #above(parents: readonly unknown[]): Promise<ReadonlyMap<string, Ancestor>> {
    const known = new Map<string, Ancestor>();
    let wanted = parents;
    for (let level = 0; level < MAX_PARENTS; level++) {
      const ids = [...new Set(wanted.filter((id) => typeof id === "string" && !known.has(id)))];
      if (ids.length === 0) break;
      const rows = await this.#db.read(this.#sql.tasks.bind({ ids: JSON.stringify(ids) }));
      for (const [id, context, origin, parent] of rows)
        known.set(String(id), { task: String(id), context: String(context), origin: origin as TaskOrigin, parent });
      wanted = rows.map((row) => row[3]);
    }
    return known;
  }
}

interface Ancestor extends ParentTask {
  readonly parent: unknown;
}

function chainOf(parent: unknown, above: ReadonlyMap<string, Ancestor>): readonly ParentTask[] {
  const chain: ParentTask[] = [];
  let next = typeof parent === "string" ? above.get(parent) : undefined;
  while (next !== undefined && chain.length < MAX_PARENTS) {
    const { task, context, origin, parent: further } = next;
    chain.push({ task, context, origin });
    next = typeof further === "string" ? above.get(further) : undefined;
  }
  return chain;
}

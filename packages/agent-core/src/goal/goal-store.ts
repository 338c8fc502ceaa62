import { type Database, namedStatement, type Row, type Statement } from "../database/index.ts";
import {
  GOAL_LIMITS,
  type Goal,
  type GoalEvent,
  type GoalEventBody,
  type GoalEventKind,
  type GoalState,
  type GoalStatus,
  type NewGoalEvent,
  UNDRIVEN,
} from "./goal.ts";

const COLUMNS = "class, context, id, spec, state, plan, status, created_at, finished_at";

const statements = () => ({
  active: namedStatement(`SELECT ${COLUMNS} FROM goal WHERE status = 'active' ORDER BY created_at, id`),
  read: namedStatement(`SELECT ${COLUMNS} FROM goal WHERE class = :class AND context = :context`),
  list: namedStatement(
    `SELECT ${COLUMNS} FROM goal
     WHERE (:at IS NULL OR created_at < :at OR (created_at = :at AND id < :id)) AND (:status IS NULL OR status = :status)
     ORDER BY created_at DESC, id DESC LIMIT :limit`,
  ),
  put: namedStatement(
    `INSERT INTO goal (${COLUMNS}) VALUES (:class, :context, :id, :spec, :state, :plan, :status, :createdAt, :finishedAt)
     ON CONFLICT (class, context) DO UPDATE SET id = :id, spec = :spec, state = :state, plan = :plan, status = :status,
       created_at = :createdAt, finished_at = :finishedAt`,
  ),
  remove: namedStatement("DELETE FROM goal WHERE class = :class AND context = :context AND id = :id"),
  removeEvents: namedStatement("DELETE FROM goal_event WHERE goal = :id"),
  add: namedStatement(
    `INSERT INTO goal_event (goal, no, at, kind, body)
     SELECT :id, coalesce(max(no), 0) + 1, :at, :kind, :body FROM goal_event WHERE goal = :id`,
  ),
  trim: namedStatement(
    "DELETE FROM goal_event WHERE goal = :id AND no <= (SELECT max(no) FROM goal_event WHERE goal = :id) - :most",
  ),
  events: namedStatement(
    `SELECT no, at, kind, body FROM goal_event
     WHERE goal = :id AND (:before IS NULL OR no < :before) AND (:kind IS NULL OR kind = :kind) ORDER BY no DESC LIMIT :limit`,
  ),
  rewrite: namedStatement("UPDATE goal_event SET body = :body WHERE goal = :id AND no = :no"),
});

/** Where a page of goals ended. */
export interface GoalPlace {
  readonly at: number;
  readonly id: string;
}

/** The rows of goals. Its reads throw DatabaseError. */
export class GoalStore {
  readonly #db: Database;
  readonly #sql = statements();

  constructor(db: Database) {
    this.#db = db;
  }

  async active(): Promise<readonly Goal[]> {
    return (await this.#db.read(this.#sql.active.bind({}))).map(goalOf);
  }

  async read(of: Pick<Goal, "class" | "context">): Promise<Goal | undefined> {
    const [row] = await this.#db.read(this.#sql.read.bind({ class: of.class, context: of.context }));
    return row && goalOf(row);
  }

  /** Newest first. */
  async list(page: {
    readonly after: GoalPlace | undefined;
    readonly status: GoalStatus | undefined;
    readonly limit: number;
  }): Promise<readonly Goal[]> {
    const { after, status, limit } = page;
    const place = { at: after?.at ?? null, id: after?.id ?? "" };
    return (await this.#db.read(this.#sql.list.bind({ ...place, status: status ?? null, limit }))).map(goalOf);
  }

  /** The goal as it is, with what happened. */
  put(goal: Goal, events: readonly NewGoalEvent[], at: number): readonly Statement[] {
    const { id, class: of, context, spec, state, plan, status, createdAt, finishedAt } = goal;
    const row = { id, class: of, context, plan, status, createdAt, finishedAt: finishedAt ?? null };
    return [
      this.#sql.put.bind({ ...row, spec: JSON.stringify(spec), state: JSON.stringify(state) }),
      ...events.map(({ kind, ...body }) => this.#sql.add.bind({ id, at, kind, body: JSON.stringify(body) })),
      ...(events.length === 0 ? [] : [this.#sql.trim.bind({ id, most: GOAL_LIMITS.events })]),
    ];
  }

  remove({ id, class: of, context }: Goal): readonly Statement[] {
    return [this.#sql.remove.bind({ class: of, context, id }), this.#sql.removeEvents.bind({ id })];
  }

  /** Newest first. */
  async events(
    id: string,
    page: { readonly before?: number | undefined; readonly kind?: GoalEventKind; readonly limit: number },
  ): Promise<readonly GoalEvent[]> {
    const { before = null, kind = null, limit } = page;
    const rows = await this.#db.read(this.#sql.events.bind({ id, before, kind, limit }));
    return rows.map(([no, at, what, body]) => ({
      ...(JSON.parse(String(body)) as GoalEventBody),
      ...{ no: Number(no), at: Number(at), kind: String(what) as GoalEventKind },
    }));
  }

  /** Puts another body in the place of an event's. */
  rewrite(id: string, { no, at: _at, kind: _kind, ...body }: GoalEvent): Statement {
    return this.#sql.rewrite.bind({ id, no, body: JSON.stringify(body) });
  }
}

function goalOf([of, context, id, spec, state, plan, status, createdAt, finishedAt]: Row): Goal {
  return {
    ...{ id: String(id), class: String(of), context: String(context), plan: String(plan) },
    ...{ spec: JSON.parse(String(spec)), status: String(status) as GoalStatus },
    state: { ...UNDRIVEN, ...(JSON.parse(String(state)) as GoalState) },
    ...{ createdAt: Number(createdAt), finishedAt: finishedAt === null ? undefined : Number(finishedAt) },
  };
}

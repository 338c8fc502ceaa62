/** The queries of `src/task/list-tasks.ts`. */
import { and, desc, gte, lt, lte, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { drizzle } from "drizzle-orm/sqlite-proxy";
import { named } from "./named.ts";
import { taskTable } from "./tables.ts";
import { hasEnded, isOpen } from "./task-states.ts";

const p = sql.placeholder;

/**
 * Tasks, newest change of state first, in two halves with an index each: open ones and those that ended. `time` and
 * `id` are where the page before ended; of `:examined` rows those that fit come out (a null fits all). The counts begin
 * at the newest.
 */
export function listStatements(qb: ReturnType<typeof drizzle>) {
  const t = taskTable;
  const columns = {
    id: t.id,
    updatedAt: t.updatedAt,
    class: t.class,
    context: t.context,
    origin: t.origin,
    state: t.state,
  };
  const since = gte(t.updatedAt, p("since"));
  // The plain bound is what the index can use.
  const older = and(lte(t.updatedAt, p("time")), or(lt(t.updatedAt, p("time")), lt(t.id, p("id"))));
  const newestFirst = [desc(t.updatedAt), desc(t.id)] as const;
  const half = (states: SQL, after?: SQL) =>
    qb
      .select(columns)
      .from(t)
      .where(and(states, since, after))
      .orderBy(...newestFirst)
      .limit(p("examined"))
      .as("examined");
  const page = (states: SQL) => {
    const from = half(states, older);
    return qb
      .select({ id: from.id, updatedAt: from.updatedAt })
      .from(from)
      .where(fitting(from))
      .orderBy(desc(from.updatedAt), desc(from.id))
      .limit(p("limit"));
  };
  const total = (states: SQL) => {
    const from = half(states);
    return qb
      .select({ total: sql`count(*)`.as("total") })
      .from(from)
      .where(fitting(from));
  };
  return {
    selectOpenPage: named(page(isOpen)),
    selectEndedPage: named(page(hasEnded)),
    countOpen: named(total(isOpen)),
    countEnded: named(total(hasEnded)),
    /** The last of the rows that a page of ended tasks looked at, if it looked at as many as it may. */
    selectEndedStop: named(
      qb
        .select({ id: t.id, updatedAt: t.updatedAt })
        .from(t)
        .where(and(hasEnded, since, older))
        .orderBy(...newestFirst)
        .limit(1)
        .offset(p("skip")),
    ),
  };
}

interface FilteredRow {
  readonly class: SQLWrapper;
  readonly context: SQLWrapper;
  readonly origin: SQLWrapper;
  readonly state: SQLWrapper;
}

function fitting(row: FilteredRow) {
  const fits = (column: SQLWrapper, name: string) => sql`(${p(name)} is null or ${column} = ${p(name)})`;
  const state = sql`(${p("state")} is null or ${row.state} in (${p("state")}, ${p("orState")}))`;
  // What the service asks for itself is seen where it is asked for.
  const isAsked = sql`(${p("origin")} is not null or ${p("context")} is not null or ${row.origin} <> 'auxiliary')`;
  return and(fits(row.class, "class"), fits(row.context, "context"), fits(row.origin, "origin"), isAsked, state);
}

/** The queries of delegated tasks (`src/delegation`). */
import { asc, eq, sql } from "drizzle-orm";
import type { drizzle } from "drizzle-orm/sqlite-proxy";
import { named } from "./named.ts";
import { taskTable } from "./tables.ts";

/** What a task's calls started, oldest first. */
export function delegationStatements(qb: ReturnType<typeof drizzle>) {
  const t = taskTable;
  return {
    selectChildren: named(
      qb
        .select({ id: t.id, origin: t.origin, state: t.state })
        .from(t)
        .where(eq(t.parent, sql.placeholder("parent")))
        .orderBy(asc(t.id)),
    ),
  };
}

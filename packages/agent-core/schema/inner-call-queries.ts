import { asc, inArray, sql } from "drizzle-orm";
import type { drizzle } from "drizzle-orm/sqlite-proxy";
import { named } from "./named.ts";
import { callTable } from "./tables.ts";

export function innerCallStatements(qb: ReturnType<typeof drizzle>) {
  const c = callTable;
  const parents = sql`(select value from json_each(${sql.placeholder("parents")}))`;
  return {
    /** What calls have called, oldest first (SC2). */
    selectInnerCalls: named(
      qb
        .select({
          id: c.id,
          parent: c.parent,
          name: c.name,
          args: c.args,
          digest: c.digest,
          outcome: c.outcome,
          result: c.result,
          startedAt: c.startedAt,
        })
        .from(c)
        .where(inArray(c.parent, parents))
        .orderBy(asc(c.startedAt), asc(c.id)),
    ),
  };
}

import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { drizzle } from "drizzle-orm/sqlite-proxy";
import { named } from "./named.ts";
import { callTable } from "./tables.ts";

export function callNoteStatements(qb: ReturnType<typeof drizzle>) {
  const c = callTable;
  return {
    keepCallNote: named(
      qb
        .update(c)
        .set({ note: sql`${sql.placeholder("note")}` })
        .where(and(eq(c.id, sql.placeholder("id")), isNull(c.outcome))),
    ),
    /** Of calls without outcome, those that other calls made included. */
    selectCallNotes: named(
      qb
        .select({ id: c.id, note: c.note })
        .from(c)
        .where(and(eq(c.task, sql.placeholder("task")), isNull(c.outcome), isNotNull(c.note))),
    ),
  };
}

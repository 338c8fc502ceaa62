/** Queries of what is sent to a task: messages while its turn runs, and idempotency keys. */
import { and, asc, eq, lt, sql } from "drizzle-orm";
import type { drizzle } from "drizzle-orm/sqlite-proxy";
import { named } from "./named.ts";
import { idempotencyTable, steeringTable } from "./tables.ts";

const p = sql.placeholder;

type Builder = ReturnType<typeof drizzle>;

export function inputStatements(qb: Builder) {
  const s = steeringTable;
  const k = idempotencyTable;
  return {
    insertSteering: named(
      qb.insert(s).values({
        id: p("id"),
        class: p("class"),
        context: p("context"),
        task: p("task"),
        body: p("body"),
        createdAt: p("at"),
      }),
    ),
    selectSteering: named(
      qb
        .select({ id: s.id, class: s.class, context: s.context, task: s.task, body: s.body })
        .from(s)
        .orderBy(asc(s.id))
        .limit(p("limit")),
    ),
    deleteSteering: named(qb.delete(s).where(eq(s.id, p("id")))),
    insertKey: named(
      qb
        .insert(k)
        .values({ class: p("class"), key: p("key"), digest: p("digest"), task: p("task"), createdAt: p("at") }),
    ),
    selectKey: named(
      qb
        .select({ digest: k.digest, task: k.task, createdAt: k.createdAt })
        .from(k)
        .where(and(eq(k.class, p("class")), eq(k.key, p("key")))),
    ),
    deleteKey: named(qb.delete(k).where(and(eq(k.class, p("class")), eq(k.key, p("key"))))),
    deleteOldKeys: named(qb.delete(k).where(lt(k.createdAt, p("before")))),
  };
}

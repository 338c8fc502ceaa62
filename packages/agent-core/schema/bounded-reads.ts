/** Reads that are bounded by rows and by bytes, whatever callers and tools put into the store (EN10). */
import { and, desc, eq, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { drizzle } from "drizzle-orm/sqlite-proxy";
import { callTable, messageTable } from "./tables.ts";

const p = sql.placeholder;

type Builder = ReturnType<typeof drizzle>;

/**
 * Bytes of the rows read before this one, of rows with a column `bytes`. A bound on it bounds a result whatever
 * its rows hold, keeps the first row always, and is at most one row off. Lengths are read without their texts.
 */
export function bytesBefore(bytes: SQL.Aliased<number>, order: SQL): SQL.Aliased<number> {
  return sql<number>`sum(${bytes}) over (order by ${order}) - ${bytes}`.as("bytes_before");
}

export function bytesOf(column: SQLiteColumn): SQL.Aliased<number> {
  return sql<number>`coalesce(octet_length(${column}), 0)`.as("bytes");
}

/** Newest first, so that the bounds keep the newest. */
export function newestMessages(qb: Builder, which: SQL | undefined) {
  const m = messageTable;
  const newest = qb
    .select({ id: m.id, bytes: bytesOf(m.body) })
    .from(m)
    .where(which)
    .orderBy(desc(m.id))
    .limit(p("limit"))
    .as("newest");
  const sized = qb
    .select({ id: newest.id, before: bytesBefore(newest.bytes, sql`${newest.id} desc`) })
    .from(newest)
    .as("sized");
  const within = qb
    .select({ id: sized.id })
    .from(sized)
    .where(lt(sized.before, p("bytes")));
  return qb
    .select({ id: m.id, task: m.task, kind: m.kind, body: m.body })
    .from(m)
    .where(inArray(m.id, within))
    .orderBy(desc(m.id));
}

/** Newest first, without those that other calls made (SC4); a result beyond the bound is null although its call has an outcome. */
export function newestCalls(qb: Builder, which: SQL | undefined) {
  const c = callTable;
  const newest = qb
    .select({ id: c.id, outcome: c.outcome, startedAt: c.startedAt, bytes: bytesOf(c.result) })
    .from(c)
    .where(and(which, isNull(c.parent)))
    .orderBy(desc(c.startedAt), desc(c.id))
    .limit(p("limit"))
    .as("newest");
  const order = sql`${newest.startedAt} desc, ${newest.id} desc`;
  const sized = qb
    .select({
      id: newest.id,
      outcome: newest.outcome,
      startedAt: newest.startedAt,
      before: bytesBefore(newest.bytes, order),
    })
    .from(newest)
    .as("sized");
  const own = alias(callTable, "own");
  const text = qb.select({ result: own.result }).from(own).where(eq(own.id, sized.id));
  const result = sql<string | null>`case when ${sized.before} < ${p("bytes")} then (${text}) end`;
  return qb.select({ id: sized.id, outcome: sized.outcome, result, startedAt: sized.startedAt }).from(sized);
}

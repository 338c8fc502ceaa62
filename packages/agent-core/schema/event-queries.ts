/** Queries of a task's events. */
import { and, asc, eq, gt, lt, lte, sql } from "drizzle-orm";
import type { drizzle } from "drizzle-orm/sqlite-proxy";
import { bytesBefore, bytesOf } from "./bounded-reads.ts";
import { named } from "./named.ts";
import { eventTable } from "./tables.ts";

const p = sql.placeholder;

type Builder = ReturnType<typeof drizzle>;

/** Rows per insert of events; more rows go out in several statements. */
const EVENT_ROWS = [1, 2, 3, 4, 5, 6, 7, 8];

/**
 * `or fail`: else SQLite copies each page it touches, to take a statement of several rows back alone. A refused statement
 * takes its whole transaction back (DB1), so that would be for nothing.
 */
function eventInserts(qb: Builder) {
  return EVENT_ROWS.map((count) =>
    named(
      qb.insert(eventTable).values(
        Array.from({ length: count }, (_, i) => ({
          task: p("task"),
          seq: p(`seq${i}`),
          at: p(`at${i}`),
          kind: p(`kind${i}`),
          body: p(`body${i}`),
        })),
      ),
    ).replace("insert into", "insert or fail into"),
  );
}

function eventPage(qb: Builder) {
  const e = eventTable;
  const ofTask = and(eq(e.task, p("task")), gt(e.seq, p("after")));
  const page = qb
    .select({ seq: e.seq, bytes: bytesOf(e.body) })
    .from(e)
    .where(ofTask)
    .orderBy(asc(e.seq))
    .limit(p("limit"))
    .as("page");
  const sized = qb
    .select({ seq: page.seq, before: bytesBefore(page.bytes, sql`${page.seq}`) })
    .from(page)
    .as("sized");
  const last = qb
    .select({ seq: sql`max(${sized.seq})` })
    .from(sized)
    .where(lt(sized.before, p("bytes")));
  return qb
    .select({ seq: e.seq, at: e.at, body: e.body })
    .from(e)
    .where(and(ofTask, lte(e.seq, sql`(${last})`)))
    .orderBy(asc(e.seq));
}

export function eventStatements(qb: Builder) {
  return { insertEvents: eventInserts(qb), selectEvents: named(eventPage(qb)) };
}

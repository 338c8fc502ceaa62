/** Queries of what a conversation showed after an earlier turn, and of what it shows of others (`src/context`). */
import { and, desc, eq, gt, gte, inArray, lt, lte, ne, sql } from "drizzle-orm";
import type { drizzle } from "drizzle-orm/sqlite-proxy";
import { newestCalls, newestMessages } from "./bounded-reads.ts";
import { named } from "./named.ts";
import { callTable, messageTable, taskTable } from "./tables.ts";
import { isOpen } from "./task-states.ts";

const p = sql.placeholder;

export function conversationStatements(qb: ReturnType<typeof drizzle>) {
  const m = messageTable;
  const listed = (name: string) => sql`(select value from json_each(${p(name)}))`;
  const body = (member: string) => sql`json_extract(${m.body}, ${sql.raw(`'$.${member}'`)})`;
  return {
    // The plus keeps the class from being looked up by its index, which would go through all messages of the class.
    selectMessagesById: named(newestMessages(qb, and(sql`+${m.class} = ${p("class")}`, inArray(m.id, listed("ids"))))),
    selectCallsOfTasks: named(newestCalls(qb, inArray(callTable.task, listed("tasks")))),
    /** What took messages out of sight, newest first. */
    selectViews: named(
      qb
        .select({ id: m.id, turn: body("turn"), last: sql`coalesce(${body("last")}, ${m.task})`, base: body("base") })
        .from(m)
        .where(
          and(eq(m.class, p("class")), eq(m.context, p("context")), eq(m.kind, "compaction"), lt(m.id, p("before"))),
        )
        .orderBy(desc(m.id))
        .limit(p("limit")),
    ),
    selectMessagesAfter: named(
      newestMessages(qb, and(eq(m.class, p("class")), eq(m.context, p("context")), gt(m.id, p("after")))),
    ),
    /** Whether the rows that were read are there still: how many of them, and whose the last one is. */
    countMessagesBetween: named(
      qb
        .select({ count: sql`count(*)`, last: sql`max(case when ${m.id} = ${p("last")} then ${m.task} end)` })
        .from(m)
        .where(and(eq(m.class, p("class")), eq(m.context, p("context")), gte(m.id, p("from")), lte(m.id, p("last")))),
    ),
    /** Messages of the turns up to one, between two rows. */
    selectMessagesUpTo: named(
      newestMessages(
        qb,
        and(
          eq(m.class, p("class")),
          eq(m.context, p("context")),
          gt(m.id, p("after")),
          lt(m.id, p("before")),
          lte(m.task, p("turn")),
          ne(m.kind, "compaction"),
        ),
      ),
    ),
    selectOpenTaskIn: named(
      qb
        .select({ id: taskTable.id, state: taskTable.state })
        .from(taskTable)
        .where(and(isOpen, eq(taskTable.class, p("class")), eq(taskTable.context, p("context")))),
    ),
  };
}

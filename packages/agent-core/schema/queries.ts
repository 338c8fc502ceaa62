/**
 * Every query of the journal, written with drizzle over the tables. `generate.ts` turns them into SQL text once, at
 * development time (`pnpm generate`), because loading drizzle costs a starting service 47 ms and 22 MB; a test holds the
 * generated text against this file. `:name` is an argument by name.
 */
import { and, asc, desc, eq, gt, gte, inArray, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import { newestCalls, newestMessages } from "./bounded-reads.ts";
import { callNoteStatements } from "./call-note-queries.ts";
import { conversationStatements } from "./conversation-queries.ts";
import { delegationStatements } from "./delegation-queries.ts";
import { eventStatements } from "./event-queries.ts";
import { innerCallStatements } from "./inner-call-queries.ts";
import { inputStatements } from "./input-queries.ts";
import { listStatements } from "./list-queries.ts";
import { named } from "./named.ts";
import { promptStatements } from "./prompt-queries.ts";
import { callTable, messageTable, taskTable } from "./tables.ts";
import { hasEnded, isOpen } from "./task-states.ts";
import { webhookStatements } from "./webhook-queries.ts";

const p = sql.placeholder;

type Builder = ReturnType<typeof drizzle>;

function taskStatements(qb: Builder) {
  const t = taskTable;
  return {
    insertTask: named(
      qb.insert(t).values({
        id: p("id"),
        class: p("class"),
        context: p("context"),
        origin: p("origin"),
        state: p("state"),
        seq: p("seq"),
        createdAt: p("at"),
        updatedAt: p("at"),
        options: p("options"),
        parent: p("parent"),
      }),
    ),
    /** The compare-and-set of every append: the numbers fit and the task is still open (EN2, EN3). */
    advanceTask: named(
      qb
        .update(t)
        .set({ seq: sql`${p("to")}`, state: sql`${p("state")}`, updatedAt: sql`coalesce(${p("at")}, ${t.updatedAt})` })
        .where(and(eq(t.id, p("id")), eq(t.seq, p("from")), isOpen)),
    ),
    selectTask: named(
      qb
        .select({
          class: t.class,
          context: t.context,
          origin: t.origin,
          state: t.state,
          seq: t.seq,
          options: t.options,
        })
        .from(t)
        .where(eq(t.id, p("id"))),
    ),
    selectOpenTasks: named(qb.select({ id: t.id }).from(t).where(isOpen).orderBy(asc(t.id))),
    /** Tasks that ended at `at` or later, in that order; `id` is the last one seen of those at `at`. */
    selectEndedFrom: named(
      qb
        .select({ id: t.id, updatedAt: t.updatedAt })
        .from(t)
        .where(and(hasEnded, gte(t.updatedAt, p("at")), or(gt(t.updatedAt, p("at")), gt(t.id, p("id")))))
        .orderBy(asc(t.updatedAt), asc(t.id))
        .limit(p("limit")),
    ),
  };
}

/** Where what the newest compaction of a conversation shows begins: the oldest message it kept, else itself. */
function shownFrom(): SQL {
  return sql`coalesce((select coalesce(json_extract(${sql.raw("c.body")}, '$.from'), ${sql.raw("c.id")}) from ${messageTable} ${sql.raw("c")} where ${sql.raw("c.class")} = ${p("class")} and ${sql.raw("c.context")} = ${p("context")} and ${sql.raw("c.kind")} = 'compaction' order by ${sql.raw("c.id")} desc limit 1), 0)`;
}

function messageStatements(qb: Builder) {
  const m = messageTable;
  const inContext = (narrower: SQL) => and(eq(m.class, p("class")), eq(m.context, p("context")), narrower);
  return {
    insertMessage: named(
      qb.insert(m).values({
        class: p("class"),
        context: p("context"),
        task: p("task"),
        kind: p("kind"),
        body: p("body"),
        at: p("at"),
      }),
    ),
    selectMessages: named(newestMessages(qb, inContext(gte(m.id, shownFrom())))),
    /** Those that a compaction took out of sight too: a turn that waited meanwhile continues with them. */
    selectMessagesOfTask: named(newestMessages(qb, inContext(eq(m.task, p("task"))))),
    countMessages: named(
      qb
        .select({ count: sql`count(*)` })
        .from(m)
        .where(inContext(ne(m.kind, "compaction"))),
    ),
    /** One row where the context has messages. */
    hasMessages: named(
      qb
        .select({ one: sql`1` })
        .from(m)
        .where(and(eq(m.class, p("class")), eq(m.context, p("context"))))
        .limit(1),
    ),
    selectCompaction: named(
      qb
        .select({ id: m.id, task: m.task, kind: m.kind, body: m.body })
        .from(m)
        .where(and(eq(m.class, p("class")), eq(m.context, p("context")), eq(m.kind, "compaction")))
        .orderBy(desc(m.id))
        .limit(1),
    ),
  };
}

function callStatements(qb: Builder) {
  const c = callTable;
  const m = messageTable;
  return {
    openCall: named(
      qb.insert(c).values({
        id: p("id"),
        class: p("class"),
        context: p("context"),
        task: p("task"),
        name: p("name"),
        args: p("args"),
        digest: p("digest"),
        startedAt: p("at"),
        parent: p("parent"),
      }),
    ),
    insertClosedCall: named(
      qb.insert(c).values({
        id: p("id"),
        class: p("class"),
        context: p("context"),
        task: p("task"),
        name: p("name"),
        args: p("args"),
        digest: p("digest"),
        outcome: p("outcome"),
        result: p("result"),
        startedAt: p("startedAt"),
        endedAt: p("at"),
        parent: p("parent"),
      }),
    ),
    closeCall: named(
      qb
        .update(c)
        .set({
          outcome: sql`${p("outcome")}`,
          result: sql`${p("result")}`,
          endedAt: sql`${p("at")}`,
          // A call in doubt is still asked about; what one that was given up has begun elsewhere is ended there.
          note: sql`case when ${p("outcome")} in ('unknown', 'aborted') then ${c.note} end`,
        })
        .where(and(eq(c.id, p("id")), isNull(c.outcome))),
    ),
    selectCallsOfTask: named(newestCalls(qb, eq(c.task, p("task")))),
    /** Of the tasks whose messages are among the newest. */
    selectCallsOfContext: named(
      newestCalls(
        qb,
        inArray(
          c.task,
          qb
            .select({ task: m.task })
            .from(m)
            .where(and(eq(m.class, p("class")), eq(m.context, p("context"))))
            .orderBy(desc(m.id))
            .limit(p("messages")),
        ),
      ),
    ),
    selectUnknownCalls: named(
      qb
        .select({ id: c.id, task: c.task, note: c.note })
        .from(c)
        .where(
          and(
            eq(c.class, p("class")),
            eq(c.context, p("context")),
            eq(c.digest, p("digest")),
            eq(c.outcome, "unknown"),
          ),
        )
        .limit(p("calls")),
    ),
  };
}

export function queryTexts(): Record<string, string | string[]> {
  const qb = drizzle(() => Promise.reject(new Error("these queries are never run")));
  return {
    ...eventStatements(qb),
    ...taskStatements(qb),
    ...listStatements(qb),
    ...delegationStatements(qb),
    ...messageStatements(qb),
    ...conversationStatements(qb),
    ...callStatements(qb),
    ...callNoteStatements(qb),
    ...innerCallStatements(qb),
    ...promptStatements(qb),
    ...inputStatements(qb),
    ...webhookStatements(qb),
  };
}

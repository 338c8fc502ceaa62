/** Queries of the prompts that turns wait for. */
import { and, asc, eq, sql } from "drizzle-orm";
import type { drizzle } from "drizzle-orm/sqlite-proxy";
import { named } from "./named.ts";
import { promptTable, taskTable } from "./tables.ts";

const p = sql.placeholder;

type Builder = ReturnType<typeof drizzle>;

export function promptStatements(qb: Builder) {
  const q = promptTable;
  return {
    insertPrompt: named(
      qb.insert(q).values({
        id: p("id"),
        task: p("task"),
        call: p("call"),
        class: p("class"),
        context: p("context"),
        reason: p("reason"),
        payload: p("payload"),
        digest: p("digest"),
        state: "pending",
        createdAt: p("at"),
      }),
    ),
    answerPrompt: named(
      qb
        .update(q)
        .set({ state: "answered", answer: sql`${p("answer")}`, answeredAt: sql`${p("at")}` })
        .where(and(eq(q.id, p("id")), eq(q.state, "pending"))),
    ),
    selectPromptsOfTask: named(
      qb
        .select({ id: q.id, call: q.call, reason: q.reason, digest: q.digest, state: q.state, answer: q.answer })
        .from(q)
        .where(eq(q.task, p("task"))),
    ),
    /** The oldest prompt that waits in a conversation, of tasks of one origin; a null fits all. */
    selectParkedTask: named(
      qb
        .select({ task: q.task })
        .from(q)
        .innerJoin(taskTable, eq(taskTable.id, q.task))
        .where(
          and(
            eq(q.state, "pending"),
            eq(q.class, p("class")),
            eq(q.context, p("context")),
            sql`(${p("origin")} is null or ${taskTable.origin} = ${p("origin")})`,
            eq(taskTable.state, "parked"),
          ),
        )
        .orderBy(asc(q.createdAt), asc(q.id))
        .limit(1),
    ),
    expirePrompts: named(
      qb
        .update(q)
        .set({ state: "expired", answeredAt: sql`${p("at")}` })
        .where(and(eq(q.task, p("task")), eq(q.state, "pending"))),
    ),
  };
}

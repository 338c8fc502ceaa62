/**
 * Every query of the journal, written with drizzle over the tables. `generate.ts` turns them into SQL text once, at
 * development time (`pnpm generate`), because loading drizzle costs a starting service 47 ms and 22 MB; a test holds the
 * generated text against this file. `:name` is an argument by name.
 */
import { and, asc, desc, eq, gt, inArray, isNull, lt, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import {
  callTable,
  eventTable,
  idempotencyTable,
  messageTable,
  promptTable,
  steeringTable,
  taskTable,
} from "./tables.ts";

const OPEN_STATES = ["queued", "running", "parked"];
const p = sql.placeholder;

type Builder = ReturnType<typeof drizzle>;

/** What drizzle leaves among the parameters for a placeholder, bare or with the column that encodes it. */
interface Placeholder {
  readonly name?: string;
  readonly value?: { readonly name?: string };
}

function literal(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  throw new TypeError(`no SQL literal for ${String(value)}`);
}

/** The query's text with its arguments by name and its constants written out. */
function named(query: { toSQL(): { sql: string; params: unknown[] } }): string {
  const { sql: text, params } = query.toSQL();
  let next = 0;
  return text.replaceAll("?", () => {
    const param = params[next++] as Placeholder | string | number;
    if (typeof param !== "object") return literal(param);
    const name = param.name ?? param.value?.name;
    if (name === undefined) throw new TypeError(`parameter ${next} of ${text} has no name`);
    return `:${name}`;
  });
}

/** Rows per insert of events; more rows go out in several statements. */
const EVENT_ROWS = [1, 2, 3, 4, 5, 6, 7, 8];

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
    ),
  );
}

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
      }),
    ),
    /** The compare-and-set of every append: the numbers fit and the task is still open (E2, E3). */
    advanceTask: named(
      qb
        .update(t)
        .set({ seq: sql`${p("to")}`, state: sql`${p("state")}`, updatedAt: sql`${p("at")}` })
        .where(and(eq(t.id, p("id")), eq(t.seq, p("from")), inArray(t.state, OPEN_STATES))),
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
    selectOpenTasks: named(qb.select({ id: t.id }).from(t).where(inArray(t.state, OPEN_STATES)).orderBy(asc(t.id))),
    selectEvents: named(
      qb
        .select({ seq: eventTable.seq, at: eventTable.at, body: eventTable.body })
        .from(eventTable)
        .where(and(eq(eventTable.task, p("task")), gt(eventTable.seq, p("after"))))
        .orderBy(asc(eventTable.seq))
        .limit(p("limit")),
    ),
  };
}

function messageStatements(qb: Builder) {
  const m = messageTable;
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
    /** Newest first, so that a bound on rows keeps the newest. */
    selectMessages: named(
      qb
        .select({ id: m.id, task: m.task, kind: m.kind, body: m.body })
        .from(m)
        .where(and(eq(m.class, p("class")), eq(m.context, p("context"))))
        .orderBy(desc(m.id))
        .limit(p("limit")),
    ),
  };
}

function callStatements(qb: Builder) {
  const c = callTable;
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
      }),
    ),
    closeCall: named(
      qb
        .update(c)
        .set({ outcome: sql`${p("outcome")}`, result: sql`${p("result")}`, endedAt: sql`${p("at")}` })
        .where(and(eq(c.id, p("id")), isNull(c.outcome))),
    ),
    selectCallsOfTask: named(
      qb
        .select({ id: c.id, name: c.name, args: c.args, digest: c.digest, outcome: c.outcome, result: c.result })
        .from(c)
        .where(eq(c.task, p("task"))),
    ),
    selectCallsOfContext: named(
      qb
        .select({ id: c.id, outcome: c.outcome, result: c.result })
        .from(c)
        .where(and(eq(c.class, p("class")), eq(c.context, p("context")))),
    ),
    selectUnknownCall: named(
      qb
        .select({ id: c.id })
        .from(c)
        .where(
          and(
            eq(c.class, p("class")),
            eq(c.context, p("context")),
            eq(c.digest, p("digest")),
            eq(c.outcome, "unknown"),
          ),
        )
        .limit(1),
    ),
  };
}

function promptStatements(qb: Builder) {
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
    expirePrompts: named(
      qb
        .update(q)
        .set({ state: "expired", answeredAt: sql`${p("at")}` })
        .where(and(eq(q.task, p("task")), eq(q.state, "pending"))),
    ),
  };
}

function inputStatements(qb: Builder) {
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

/** Every query by name. */
export function queryTexts(): Record<string, string | string[]> {
  const qb = drizzle(() => Promise.reject(new Error("these queries are never run")));
  return {
    insertEvents: eventInserts(qb),
    ...taskStatements(qb),
    ...messageStatements(qb),
    ...callStatements(qb),
    ...promptStatements(qb),
    ...inputStatements(qb),
  };
}

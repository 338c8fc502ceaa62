/** The webhooks' queries (W1, W2); see queries.ts. */
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { drizzle } from "drizzle-orm/sqlite-proxy";
import { NOTIFIED_KINDS, URGENT_KINDS } from "../src/webhook/notified-events.ts";
import { named } from "./named.ts";
import { eventTable, pushConfigTable } from "./tables.ts";

const p = sql.placeholder;
const ARTIFACT_KINDS = ["answer", "component.shown"];

/**
 * Adds or replaces, of a task that exists and with a bound on how many it has: changes one row, or none. A replaced one is
 * sent nothing more, and the new one starts from the beginning.
 */
const KEEP =
  "insert into push_config (task, class, id, context, version, url, token, scheme, credentials, created_at, cursor, target, step, failures, next_at, settled_at) " +
  "select :task, :class, :id, :context, :version, :url, :token, :scheme, :credentials, :at, 0, 0, 0, 0, 0, null " +
  "where exists (select 1 from task where id = :task) " +
  "and (select count(*) from push_config where task = :task and class = :class and id <> :id) < :most " +
  "on conflict (task, class, id) do update set context = excluded.context, version = excluded.version, url = excluded.url, " +
  "token = excluded.token, scheme = excluded.scheme, credentials = excluded.credentials, created_at = excluded.created_at, " +
  "cursor = 0, target = 0, step = 0, failures = 0, next_at = 0, settled_at = null";

export function webhookStatements(qb: ReturnType<typeof drizzle>) {
  const c = pushConfigTable;
  const e = eventTable;
  const isIt = and(eq(c.task, p("task")), eq(c.class, p("class")), eq(c.id, p("id")));
  const event = () => qb.select({ seq: e.seq, at: e.at, body: e.body }).from(e);
  const newest = (kinds: readonly string[]) =>
    event()
      .where(and(eq(e.task, p("task")), gt(e.seq, p("after")), inArray(e.kind, [...kinds])))
      .orderBy(desc(e.seq))
      .limit(1);
  return {
    keepPushConfig: KEEP,
    selectPushConfigs: named(
      qb
        .select()
        .from(c)
        .where(and(eq(c.task, p("task")), or(isNull(c.settledAt), gt(c.settledAt, p("before")))))
        .orderBy(asc(c.createdAt), asc(c.class), asc(c.id)),
    ),
    /** A page of those whose task's end was not sent. */
    selectOpenPushConfigs: named(
      qb
        .select()
        .from(c)
        .where(
          and(isNull(c.settledAt), sql`(${c.task}, ${c.class}, ${c.id}) > (${p("task")}, ${p("class")}, ${p("id")})`),
        )
        .orderBy(asc(c.task), asc(c.class), asc(c.id))
        .limit(p("limit")),
    ),
    advancePushConfig: named(
      qb
        .update(c)
        .set({
          cursor: sql`${p("cursor")}`,
          target: sql`${p("target")}`,
          step: sql`${p("step")}`,
          failures: sql`${p("failures")}`,
          nextAt: sql`${p("nextAt")}`,
          settledAt: sql`${p("settledAt")}`,
        })
        .where(and(isIt, eq(c.createdAt, p("registered")))),
    ),
    deletePushConfig: named(qb.delete(c).where(isIt)),
    deleteSettledPushConfigs: named(qb.delete(c).where(and(isNotNull(c.settledAt), lt(c.settledAt, p("before"))))),
    /** The newest event above a number that webhooks are notified of. */
    selectNewestNotified: named(newest(NOTIFIED_KINDS)),
    selectNewestUrgent: named(newest(URGENT_KINDS)),
    selectEvent: named(event().where(and(eq(e.task, p("task")), eq(e.seq, p("seq"))))),
    /** What a completed task made, in order. */
    selectArtifactEvents: named(
      event()
        .where(and(eq(e.task, p("task")), inArray(e.kind, ARTIFACT_KINDS)))
        .orderBy(asc(e.seq)),
    ),
  };
}

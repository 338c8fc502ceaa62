/** Removes conversations without a message for longer than the configured age (R14). */
import { type Database, namedStatement, type Statement } from "../database/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import { type DueTask, eachDue, roundCursor } from "./retention-rounds.ts";

/** Removes a conversation of the operator with all that belongs to it. Must be repeatable. */
export type RemoveSession = (context: string) => Promise<unknown>;

/** Tasks of a conversation that are removed in one command. */
const BATCH = 50;
const OPEN = "(t.state = 'queued' OR t.state = 'running' OR t.state = 'parked')";

/** It has a later message, or a task that has not ended. */
const ALIVE = namedStatement(
  `SELECT 1 WHERE (SELECT at FROM message WHERE class = :class AND context = :context ORDER BY id DESC LIMIT 1) >= :before
OR EXISTS (SELECT 1 FROM session WHERE :class = 'operator' AND id = :context AND updated_at >= :before)
OR EXISTS (SELECT 1 FROM task AS t WHERE ${OPEN} AND t.class = :class AND t.context = :context)`,
);
const KNOWN = namedStatement("SELECT 1 FROM session WHERE id = :context");
const TASKS = namedStatement(
  "SELECT DISTINCT task FROM message WHERE class = :class AND context = :context AND task <> ''",
);
const OF_TASK = ["event", "call", "prompt", "push_config", "kept_detail"].map((table) =>
  namedStatement(`DELETE FROM ${table} WHERE task = :task`),
);
const TASK = namedStatement("DELETE FROM task WHERE id = :task");
const REST = ["message", "call", "steering"].map((table) =>
  namedStatement(`DELETE FROM ${table} WHERE class = :class AND context = :context`),
);
const ANY_DUE = namedStatement(
  `SELECT 1 FROM task WHERE (state = 'completed' OR state = 'failed' OR state = 'canceled')
AND (updated_at, id) > (:at, :task) AND updated_at < :before LIMIT 1`,
);

/** True when a conversation may be old enough to go. `before`: epoch milliseconds. */
export async function hasOldConversations(db: Database, before: number): Promise<boolean> {
  const cursor = (await roundCursor(db, "conversations")) ?? { at: 0, task: "" };
  return (await db.read(ANY_DUE.bind({ ...cursor, before }))).length > 0;
}

/**
 * Removes the conversations whose last turn ended before `before`. Each task is visited once, when its own time has come;
 * one that was followed by others changes nothing. Resolves with how many conversations went.
 * @throws DatabaseError; what was removed stays removed
 */
export async function removeConversations(
  db: Database,
  { now, before }: { readonly now: number; readonly before: number },
  {
    removeSession,
    deferRemoval,
  }: { readonly removeSession: RemoveSession; readonly deferRemoval: (context: string) => Promise<boolean> },
): Promise<number> {
  let removed = 0;
  await eachDue(db, "conversations", { now, before }, async (tasks) => {
    const conversations = Map.groupBy(tasks, (task) => JSON.stringify([task.class, task.context]));
    for (const [first, ...others] of conversations.values()) {
      const { class: callerClass, context, parent } = first!;
      const key = { class: callerClass, context };
      if (parent !== null || (await db.read(ALIVE.bind({ ...key, before }))).length > 0) continue;
      const isSession = callerClass === OPERATOR_CLASS && (await db.read(KNOWN.bind({ context }))).length > 0;
      if (isSession && (await deferRemoval(context))) continue;
      if (isSession) await removeSession(context);
      else await removePlain(db, key, [first!, ...others]);
      removed++;
    }
    return [];
  });
  return removed;
}

/** A conversation that is no session: of a peer, or of a caller whose session went before. */
async function removePlain(
  db: Database,
  key: { readonly class: string; readonly context: string },
  due: readonly DueTask[],
): Promise<void> {
  const rows = await db.read(TASKS.bind(key), "long");
  const tasks = [...new Set([...due.map(({ id }) => id), ...rows.map(([task]) => String(task))])];
  for (let start = 0; start < tasks.length; start += BATCH) {
    const statements: Statement[] = tasks
      .slice(start, start + BATCH)
      .flatMap((task) => [...OF_TASK, TASK].map((statement) => statement.bind({ task })));
    await db.commit({ label: "journal.retention", statements });
  }
  await db.commit({ label: "journal.retention", statements: REST.map((statement) => statement.bind(key)) });
}

/**
 * What leaves the store (E10; rulings R12, A15): deltas 24 hours after their task ended, journal rows after
 * `retentionDays`, conversations that have been idle for `conversationDays`, old idempotency keys. Everything in bounded
 * bites, so that no commit holds the writer for long.
 */
import type { Database } from "../database/index.ts";
import { namedStatement } from "../database/index.ts";

const DAY_MS = 86_400_000;
/** Tasks per bite. */
const BITE = 200;

/** How long things are kept. */
export interface Retention {
  readonly retentionDays: number;
  readonly conversationDays: number;
}

const ENDED = "state IN ('completed', 'failed', 'canceled')";

const statements = () => ({
  ended: namedStatement(
    `SELECT id FROM task WHERE id > :after AND created_at < :before AND ${ENDED} AND updated_at < :before ORDER BY id LIMIT :limit`,
  ),
  deltas: namedStatement(
    "DELETE FROM event WHERE task = :task AND kind IN ('text.delta', 'text.reset', 'reasoning.delta')",
  ),
  events: namedStatement("DELETE FROM event WHERE task = :task"),
  prompts: namedStatement("DELETE FROM prompt WHERE task = :task"),
  task: namedStatement("DELETE FROM task WHERE id = :task"),
  idle: namedStatement(
    // A parked task does not expire while it waits, and its turn needs the conversation (ruling R12). A fork shows the
    // messages of the context it branched off. The index tells each context's newest message, and the joins go from the
    // few to the many: else each idle context would cost a look at every message of the store.
    `SELECT m.class, m.context FROM (SELECT max(id) AS id FROM message GROUP BY class, context) AS last CROSS JOIN message AS m ON m.id = last.id
WHERE m.at < :before AND NOT EXISTS (SELECT 1 FROM task AS t WHERE t.class = m.class AND t.context = m.context AND (t.state = 'queued' OR t.state = 'running' OR t.state = 'parked'))
AND NOT EXISTS (SELECT 1 FROM session_fork AS f CROSS JOIN session AS s ON s.no = f.session CROSS JOIN message AS n ON n.class = m.class AND n.context = s.id AND n.at >= :before
WHERE m.class = 'operator' AND f.base = m.context) ORDER BY m.at LIMIT :limit`,
  ),
  messages: namedStatement("DELETE FROM message WHERE class = :class AND context = :context"),
  calls: namedStatement("DELETE FROM call WHERE class = :class AND context = :context"),
  keys: namedStatement("DELETE FROM idempotency WHERE created_at < :before"),
  answers: namedStatement("DELETE FROM kept_answer WHERE created_at < :before"),
});

/** One round. Resolves with how many tasks and contexts were visited. */
export async function removeExpired(
  db: Database,
  now: number,
  keep: Retention,
): Promise<{ tasks: number; contexts: number }> {
  const sql = statements();
  const eachEnded = async (
    before: number,
    drop: readonly ("deltas" | "events" | "prompts" | "task")[],
  ): Promise<number> => {
    let after = "";
    let visited = 0;
    for (;;) {
      const rows = await db.read(sql.ended.bind({ after, before, limit: BITE }));
      if (rows.length === 0) return visited;
      const ids = rows.map((row) => String(row[0]));
      await db.commit({
        label: "journal.retention",
        statements: ids.flatMap((task) => drop.map((name) => sql[name].bind({ task }))),
      });
      visited += ids.length;
      after = ids[ids.length - 1]!;
    }
  };
  let tasks = await eachEnded(now - DAY_MS, ["deltas"]);
  tasks += await eachEnded(now - keep.retentionDays * DAY_MS, ["events", "prompts", "task"]);
  let contexts = 0;
  for (;;) {
    const rows = await db.read(sql.idle.bind({ before: now - keep.conversationDays * DAY_MS, limit: BITE }));
    if (rows.length === 0) break;
    const keys = rows.map((row) => ({ class: String(row[0]), context: String(row[1]) }));
    const drop = keys.flatMap((key) => [sql.messages.bind(key), sql.calls.bind(key)]);
    await db.commit({ label: "journal.retention", statements: drop });
    contexts += keys.length;
  }
  const keys = { before: now - DAY_MS };
  await db.commit({ label: "journal.retention", statements: [sql.keys.bind(keys), sql.answers.bind(keys)] });
  return { tasks, contexts };
}

import { type Database, namedStatement } from "../database/index.ts";
import { eachDue } from "./retention-rounds.ts";

/** Milliseconds after its end that a task's pieces of text can be replayed one by one (R12). */
const KEEP_MS = 24 * 3_600_000;

const PIECES = "kind IN ('text.delta', 'text.reset', 'reasoning.delta')";
/** The last piece of text of a task without an answer; null where there is none, or it was reset. */
const LAST = `(SELECT max(seq) FROM event WHERE task = :task AND kind = 'text.delta' AND seq >
coalesce((SELECT max(seq) FROM event WHERE task = :task AND kind = 'text.reset'), 0))`;

const UNANSWERED = namedStatement(
  `SELECT value FROM json_each(:tasks) WHERE NOT EXISTS (SELECT 1 FROM event WHERE task = value AND kind = 'answer')`,
);
const JOIN = namedStatement(
  `UPDATE event SET body = json_object('kind', 'text.delta', 'text', (SELECT group_concat(d.body ->> 'text', '' ORDER BY d.seq)
FROM event AS d WHERE d.task = :task AND d.kind = 'text.delta' AND d.seq > coalesce((SELECT max(seq) FROM event WHERE task = :task AND kind = 'text.reset'), 0)))
WHERE task = :task AND seq = ${LAST}`,
);
const OTHERS = namedStatement(`DELETE FROM event WHERE task = :task AND ${PIECES} AND seq <> coalesce(${LAST}, 0)`);
const ALL = namedStatement(`DELETE FROM event WHERE task IN (SELECT value FROM json_each(:tasks)) AND ${PIECES}`);

/**
 * Removes the pieces of text and reasoning of tasks that ended more than 24 hours ago. Of a task that was stopped before
 * it had an answer, one piece stays with its whole text: that is what its artifact shows.
 */
export async function removeDeltas(db: Database, now: number): Promise<number> {
  return eachDue(db, "deltas", { now, before: now - KEEP_MS }, async (tasks) => {
    const stopped = tasks.filter(({ state }) => state !== "completed").map(({ id }) => id);
    const rows = stopped.length === 0 ? [] : await db.read(UNANSWERED.bind({ tasks: JSON.stringify(stopped) }));
    const unanswered = new Set(rows.map(([id]) => String(id)));
    const answered = tasks.filter(({ id }) => !unanswered.has(id)).map(({ id }) => id);
    return [
      ALL.bind({ tasks: JSON.stringify(answered) }),
      ...[...unanswered].flatMap((task) => [JOIN.bind({ task }), OTHERS.bind({ task })]),
    ];
  });
}

/** The statements that remove sessions and turns. */
import { namedStatement } from "../../database/index.ts";
import { OPERATOR_CLASS } from "../../share/index.ts";

const NO = "(SELECT no FROM session WHERE id = :id)";
export const KNOWN = namedStatement("SELECT no FROM session WHERE id = :id");
export const INTEND = namedStatement(
  `INSERT INTO session_deletion (context, retire, forget, at) VALUES (:id, :retire, :forget, :at)
ON CONFLICT (context) DO UPDATE SET retire = max(retire, excluded.retire), forget = max(forget, excluded.forget)`,
);
export const PENDING = namedStatement("SELECT context, retire, forget FROM session_deletion ORDER BY at");
export const DONE = namedStatement("DELETE FROM session_deletion WHERE context = :id");
/** Its own tasks, listed or taken back; those it shows of another session are that one's. */
export const TASKS = namedStatement(
  `SELECT task.id FROM session_turn JOIN task ON task.id = session_turn.task
WHERE session IN (${NO}, -${NO}) AND task.context = :id
UNION SELECT task FROM message WHERE class = '${OPERATOR_CLASS}' AND context = :id AND task <> '' ORDER BY 1`,
);
/** What tasks delegated, however deep, with the conversation each has to itself, and whether it is open. */
export const DELEGATED = namedStatement(
  `WITH RECURSIVE below (id) AS (
SELECT id FROM task WHERE parent IN (SELECT value FROM json_each(:tasks)) AND parent IS NOT NULL
UNION SELECT child.id FROM below JOIN task AS child ON child.parent = below.id WHERE child.parent IS NOT NULL)
SELECT task.id, task.context, task.state IN ('queued', 'running', 'parked') FROM below CROSS JOIN task ON task.id = below.id`,
);
/**
 * Of these tasks those that another session lists, with that session. It does not keep an incognito one, nor any while it is
 * being deleted itself.
 */
export const SHARED = namedStatement(
  `SELECT turn.task, min(other.id) FROM session_fork AS fork
CROSS JOIN session_turn AS turn ON turn.session = fork.session AND turn.task IN (SELECT value FROM json_each(:tasks))
CROSS JOIN session AS other ON other.no = fork.session
WHERE other.id <> :id AND NOT EXISTS (SELECT 1 FROM incognito_turn WHERE incognito_turn.task = turn.task)
AND NOT EXISTS (SELECT 1 FROM session_deletion WHERE session_deletion.context = other.id) GROUP BY turn.task`,
);
/** The other sessions that list these tasks, or took them back. */
export const FORKS = namedStatement(
  `SELECT DISTINCT other.id FROM session_fork AS fork
CROSS JOIN session_turn AS turn ON turn.session IN (fork.session, -fork.session)
AND turn.task IN (SELECT value FROM json_each(:tasks))
CROSS JOIN session AS other ON other.no = fork.session WHERE other.id <> :id`,
);
export const OF_TASK = ["event", "prompt", "call", "push_config", "incognito_turn", "kept_detail"].map((table) =>
  namedStatement(`DELETE FROM ${table} WHERE task = :task`),
);
/** Messages and turns have an index by their session only: without it each would cost a look at the whole table. */
const OF_TASKS = `class = '${OPERATOR_CLASS}' AND context = :id AND task IN (SELECT value FROM json_each(:tasks))`;
export const OF_SESSION = [
  namedStatement(`DELETE FROM message WHERE ${OF_TASKS}`),
  namedStatement(
    `DELETE FROM session_turn WHERE session IN (SELECT no FROM session WHERE id = :id UNION ALL SELECT -no FROM session WHERE id = :id
UNION ALL SELECT session FROM session_fork UNION ALL SELECT -session FROM session_fork)
AND task IN (SELECT value FROM json_each(:tasks))`,
  ),
];
/** Jobs that these turns spawned and that are settled: what was asked of them and what they reported. */
export const FORGET_JOBS = namedStatement(
  "DELETE FROM background_job WHERE parent IN (SELECT value FROM json_each(:tasks)) AND settled_at IS NOT NULL",
);
/** Rows about messages after the first of those: a summary is removed, what a rewind or fork names stays. */
export const FIRST = namedStatement(`SELECT min(id) FROM message WHERE ${OF_TASKS}`);
export const FORGET_SUMMARIES = [
  namedStatement(
    `UPDATE message SET body = json_set(body, '$.text', '') WHERE class = '${OPERATOR_CLASS}' AND context = :id AND kind = 'compaction' AND id > :first AND json_extract(body, '$.turn') IS NOT NULL`,
  ),
  namedStatement(
    `DELETE FROM message WHERE class = '${OPERATOR_CLASS}' AND context = :id AND kind = 'compaction' AND id > :first AND json_extract(body, '$.turn') IS NULL`,
  ),
];
export const INCOGNITO = namedStatement(
  `SELECT task FROM incognito_turn WHERE class = '${OPERATOR_CLASS}' AND context = :id`,
);
export const LISTED_BESIDE = namedStatement(
  `SELECT 1 FROM session_turn WHERE session IN (${NO}, -${NO}) AND task NOT IN (SELECT value FROM json_each(:tasks)) LIMIT 1`,
);
export const TASK = namedStatement("DELETE FROM task WHERE id = :task");
export const ADOPT = ["prompt", "call", "kept_detail", "file_change"]
  .map((table) => namedStatement(`UPDATE ${table} SET context = :fork WHERE task = :task`))
  .concat(namedStatement("UPDATE task SET context = :fork WHERE id = :task"));
export const ADOPT_MESSAGES = namedStatement(
  `UPDATE message SET context = :fork WHERE class = '${OPERATOR_CLASS}' AND context = :id AND task = :task`,
);
export const REST = [
  namedStatement(`DELETE FROM message WHERE class = '${OPERATOR_CLASS}' AND context = :id`),
  namedStatement(`DELETE FROM call WHERE class = '${OPERATOR_CLASS}' AND context = :id`),
  namedStatement(`DELETE FROM steering WHERE class = '${OPERATOR_CLASS}' AND context = :id`),
  namedStatement(`DELETE FROM session_turn WHERE session = ${NO}`),
  namedStatement(`DELETE FROM session_turn WHERE session = -${NO}`),
  namedStatement(`DELETE FROM session_fork WHERE session = ${NO}`),
];
export const RETIRE = [
  namedStatement(`DELETE FROM session_text WHERE rowid = -${NO}`),
  namedStatement("DELETE FROM session WHERE id = :id"),
];
/** What remains of a session that is cleared: its title by a person. */
export const CLEAR = [
  namedStatement(`DELETE FROM session_text WHERE rowid = (SELECT -no FROM session WHERE id = :id AND title IS NULL)`),
  namedStatement("UPDATE session SET opening = '', headline = NULL, titling = NULL, turns = 0 WHERE id = :id"),
];

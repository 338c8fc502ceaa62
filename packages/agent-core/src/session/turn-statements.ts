/** The statements that read turns. Bodies are read whole up to `:whole` bytes; of larger ones the beginnings of texts. */
import { namedStatement } from "../database/index.ts";

const TURN = "task, origin, state, created_at, updated_at";
const OF_SESSION = "session = (SELECT no FROM session WHERE id = :id)";
/** The events a turn is read from. Deltas are not among them: the answer has the whole text. */
const KINDS = [
  ...["task.accepted", "input.consumed", "task.parked", "prompt.answered", "component.shown", "answer"],
  ...[
    "model.finished",
    "model.failed",
    "tool.started",
    "tool.finished",
    "task.completed",
    "task.failed",
    "task.canceled",
  ],
  "detail.removed",
  "approval.skipped",
  "context.recalled",
];
const KIND = `e.kind IN (${KINDS.map((kind) => `'${kind}'`).join(", ")})`;
const OF_TASKS = "json_each(:tasks) AS j CROSS JOIN event AS e ON e.task = j.value";
const EVENTS = `${OF_TASKS} WHERE ${KIND}`;
const THOUGHT = "e.kind = 'reasoning.delta'";
const STEPS = `SELECT e.task, e.seq, e.at, e.kind, iif(${THOUGHT}, e.body ->> 'text', '') AS text,
sum(e.kind = 'model.started') OVER before AS step, sum(e.kind = 'tool.finished') OVER before AS calls
FROM ${OF_TASKS} WHERE e.kind IN ('reasoning.delta', 'model.started', 'tool.finished')
WINDOW before AS (PARTITION BY e.task ORDER BY e.seq ROWS UNBOUNDED PRECEDING)`;
const PARTS =
  "CASE e.kind WHEN 'task.accepted' THEN '$.input.parts' WHEN 'prompt.answered' THEN '$.answer.parts' ELSE '$.parts' END";
/** Parts read of an event that is too long to be read whole. */
export const CUT_PARTS = 32;
const PART = ["kind", "text", "name", "mediaType"].map((name) => `p.value ->> '${name}' AS ${name}`).join(", ");
const MEASURES = "p.key AS no, length(p.value ->> 'bytes') AS characters";
const CUT = `SELECT json_group_array(json_object('kind', kind, 'text', substr(text, 1, :chars), 'name', name, 'mediaType', mediaType,
'no', no, 'characters', characters,
'long', json(iif(length(text) > :chars, 'true', 'false')))) FROM (SELECT ${PART}, ${MEASURES} FROM json_each(e.body, ${PARTS}) AS p LIMIT ${CUT_PARTS})`;

/** A task of any class as a turn. */
export const TURN_OF_TASK = namedStatement(
  "SELECT id, origin, state, created_at, updated_at, class, context FROM task WHERE id = :task",
);
/** Turns before a task, newest first. */
export const NEWEST_TURNS = namedStatement(
  `SELECT ${TURN} FROM session_turn WHERE ${OF_SESSION} AND task < :position ORDER BY task DESC LIMIT :limit`,
);
/** Turns after a task, oldest first. */
export const OLDEST_TURNS = namedStatement(
  `SELECT ${TURN} FROM session_turn WHERE ${OF_SESSION} AND task > :position ORDER BY task LIMIT :limit`,
);
/** Bytes of the events of each task, what the model thought included. */
export const EVENT_BYTES = namedStatement(
  `SELECT e.task, sum(min(octet_length(e.body), :whole)) FROM ${EVENTS} OR ${THOUGHT} GROUP BY e.task`,
);
/** What the model thought in each step of tasks, in order: beginning, whether it continues, calls before, first and last time. */
export const TURN_THOUGHTS = namedStatement(
  `SELECT task, substr(group_concat(text, '' ORDER BY seq), 1, :chars), sum(length(text)) > :chars, min(calls), min(at), max(at)
FROM (${STEPS}) WHERE kind = 'reasoning.delta' GROUP BY task, step ORDER BY task, step`,
);
/** Events of tasks, in order; the last column is 1 where a body is cut to the beginnings of its parts. */
export const TURN_EVENTS = namedStatement(
  `SELECT e.task, e.seq, e.at, e.kind, CASE WHEN octet_length(e.body) <= :whole THEN e.body
ELSE (${CUT}) END, octet_length(e.body) > :whole
FROM ${EVENTS} ORDER BY e.task, e.seq`,
);
/** The streamed text of tasks that were stopped before they had an answer: its beginning, whether it continues. */
export const UNFINISHED_TEXTS = namedStatement(
  `SELECT task, substr(group_concat(text, '' ORDER BY seq), 1, :whole), sum(length(text)) > :whole FROM (
SELECT e.task, e.seq, e.body ->> 'text' AS text FROM ${OF_TASKS} WHERE e.kind = 'text.delta' AND e.seq > coalesce(
(SELECT max(r.seq) FROM event AS r WHERE r.task = j.value AND r.kind = 'text.reset'), 0)) GROUP BY task`,
);
/** Messages of tasks whose events were removed from the journal. */
export const TURN_MESSAGES = namedStatement(
  `SELECT task, at, kind, CASE WHEN octet_length(body) <= :whole THEN body ELSE '{}' END, octet_length(body) > :whole
FROM message WHERE class = 'operator' AND context = :id AND kind IN ('user', 'assistant')
AND task IN (SELECT value FROM json_each(:tasks)) ORDER BY id`,
);
const PART_PATH = `CASE e.kind WHEN 'task.accepted' THEN '$.input' WHEN 'prompt.answered' THEN '$.answer'
ELSE '$.inputs[' || :message || ']' END || '.parts[' || :part || '].'`;
const OF_PART = (name: string): string => `e.body ->> (${PART_PATH} || '${name}')`;
/** A file of a message of a session's turn: its name, its type, and its content in base64. */
export const FILE_OF_TURN = namedStatement(
  `SELECT ${OF_PART("name")}, ${OF_PART("mediaType")}, ${OF_PART("bytes")} FROM session_turn AS t JOIN event AS e ON e.task = t.task
WHERE t.${OF_SESSION} AND t.task = :task AND e.seq = :seq
AND e.kind IN ('task.accepted', 'input.consumed', 'prompt.answered') AND ${OF_PART("kind")} = 'file'`,
);
const OF_IMAGE = (name: string): string => `m.body ->> ('$.images[' || :no || '].${name}')`;
/** An image of a call's result: its type, and its content in base64. */
export const IMAGE_OF_CALL = namedStatement(
  `SELECT ${OF_IMAGE("mediaType")}, ${OF_IMAGE("data")} FROM session_turn AS t JOIN task AS k ON k.id = t.task
JOIN message AS m ON m.class = k.class AND m.context = k.context AND m.task = t.task
WHERE t.${OF_SESSION} AND t.task = :task AND m.kind = 'note' AND m.body ->> '$.call' = :call AND ${OF_IMAGE("kind")} = 'image'`,
);

import { namedStatement, type Row } from "../database/index.ts";
import { INBOX_PRIORITIES, type InboxItem } from "./inbox-item.ts";

const COLUMNS = "id, created_at, priority, source, text, dedup_key, taken_at";
// A `now` item is taken the moment it comes, so its key counts although it is not waiting any more.
const DUPLICATE = "dedup_key = :key AND created_at > :since AND (taken_by IS NULL OR priority = 0)";

export const inboxStatements = () => ({
  insert: namedStatement(
    `INSERT INTO inbox (id, text, priority, source, dedup_key, created_at, settled, interrupted)
     SELECT :id, :text, :priority, :source, :key, :at, 0, 0
     WHERE (SELECT count(*) FROM inbox WHERE taken_by IS NULL) < :most
       AND NOT EXISTS (SELECT 1 FROM inbox WHERE ${DUPLICATE})`,
  ),
  /** Old items that were delivered, a few at a time. */
  sweep: namedStatement(
    `DELETE FROM inbox WHERE id IN (
       SELECT id FROM inbox WHERE settled = 1 AND taken_at < :before ORDER BY taken_at LIMIT 20)`,
  ),
  lastId: namedStatement("SELECT seq FROM sqlite_sequence WHERE name = 'inbox'"),
  duplicate: namedStatement(`SELECT ${COLUMNS} FROM inbox WHERE ${DUPLICATE} ORDER BY id DESC LIMIT 1`),
  byId: namedStatement(`SELECT ${COLUMNS} FROM inbox WHERE id = :id`),
  /** The task that has an item. */
  turnWith: namedStatement("SELECT task.id FROM inbox JOIN task ON task.id = taken_by WHERE inbox.id = :id"),
  waiting: namedStatement(
    `SELECT ${COLUMNS} FROM inbox WHERE taken_by IS NULL AND priority <= :floor ORDER BY priority, id LIMIT :limit`,
  ),
  list: namedStatement(
    `SELECT ${COLUMNS} FROM inbox WHERE id < :before AND priority <= :floor AND (taken_by IS NULL OR :delivered = 1)
     ORDER BY id DESC LIMIT :limit`,
  ),
  takenBy: namedStatement(`SELECT ${COLUMNS} FROM inbox WHERE settled = 0 AND taken_by = :by ORDER BY priority, id`),
  take: namedStatement(
    `UPDATE inbox SET taken_by = :by, taken_at = :at
     WHERE id IN (SELECT value FROM json_each(:ids)) AND taken_by IS NULL`,
  ),
  unsettled: namedStatement("SELECT 1 FROM inbox WHERE settled = 0 AND taken_by IS NOT NULL LIMIT 1"),
  /** What a call took that failed, or a turn that a restart ended, waits again. */
  giveBack: namedStatement(
    `UPDATE inbox SET taken_by = NULL, taken_at = NULL, interrupted = interrupted + 1
     WHERE settled = 0 AND taken_by IS NOT NULL AND (
       EXISTS (SELECT 1 FROM call WHERE call.id = taken_by AND outcome IS NOT NULL AND outcome <> 'ok')
       OR interrupted < :most AND EXISTS (
         SELECT 1 FROM task JOIN event ON event.task = task.id AND event.seq = task.seq
         WHERE task.id = taken_by AND state = 'failed' AND event.body ->> '$.failure.code' = 'interrupted'))`,
  ),
  /** What was taken belongs to its taker once that has ended, or once no record of it is left. */
  settle: namedStatement(
    `UPDATE inbox SET settled = 1
     WHERE settled = 0 AND taken_by IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM call WHERE call.id = taken_by AND (outcome IS NULL OR outcome <> 'ok'))
       AND NOT EXISTS (SELECT 1 FROM task WHERE task.id = taken_by AND state IN ('queued', 'running', 'parked'))`,
  ),
});

/** Reads a row of the statements that show items. */
export function itemOf(row: Row): InboxItem {
  const [id, created, priority, source, text, key, taken] = row;
  return {
    id: Number(id),
    createdAt: Number(created),
    priority: INBOX_PRIORITIES[Number(priority)] ?? "later",
    source: String(source),
    text: String(text),
    dedupKey: key === null ? undefined : String(key),
    deliveredAt: taken === null ? undefined : Number(taken),
  };
}

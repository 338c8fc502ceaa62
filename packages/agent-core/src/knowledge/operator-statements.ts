import { namedStatement } from "../database/index.ts";
import { COLUMNS } from "./chunk-statements.ts";

const TITLE = "coalesce(search_title, subject || ' ' || heading)";
const TEXT = "coalesce(search_text, content)";

/** The statements of what operators change. */
export const operatorStatements = () => ({
  /** By an own table and a partial index: asked often, and there may be many. */
  size: namedStatement(
    `SELECT (SELECT chunks FROM chunk_count),
       (SELECT count(*) FROM chunk WHERE review = 'pending' AND invalidated_at IS NULL AND removed_at IS NULL AND namespace = '')`,
  ),
  unindex: namedStatement(
    `INSERT INTO chunk_text (chunk_text, rowid, title, text) SELECT 'delete', id, ${TITLE}, ${TEXT} FROM chunk WHERE id = :id`,
  ),
  index: namedStatement(
    `INSERT INTO chunk_text (rowid, title, text) SELECT id, ${TITLE}, ${TEXT} FROM chunk WHERE id = :id`,
  ),
  edit: namedStatement(
    `UPDATE chunk SET content = :content, heading = :heading, subject = :subject, subject_key = :key, domain = :domain,
       kind = :kind, policy = :policy, search_title = :searchTitle, search_text = :searchText,
       trust = 3, review = 'accepted', review_reason = '', revision = revision + 1, confirmed_at = :now
     WHERE id = :id`,
  ),
  unmerge: namedStatement("UPDATE chunk_count SET unmerged = unmerged + 1"),
  alwaysOn: namedStatement(
    `SELECT count(*) FROM chunk WHERE policy = 'always' AND review = 'accepted' AND invalidated_at IS NULL AND removed_at IS NULL AND namespace = ''`,
  ),
  /** What is accepted at the subject of a memory. */
  supersedeOthers: namedStatement(
    `UPDATE chunk SET invalidated_at = :now, superseded_by = :id WHERE subject_key <> '' AND invalidated_at IS NULL
       AND removed_at IS NULL AND review = 'accepted' AND id <> :id
       AND (subject_key, domain, kind, namespace) = (SELECT subject_key, domain, kind, namespace FROM chunk WHERE id = :id)`,
  ),
  accept: namedStatement(
    "UPDATE chunk SET review = 'accepted', review_reason = '', trust = 3, confirmed_at = :now WHERE id = :id",
  ),
  /** What was said in a conversation. `:shared`: what others said too. */
  saidIn: namedStatement(
    `SELECT count(*) FROM chunk WHERE id IN (
       SELECT id FROM chunk WHERE session <> '' AND session = :session
       UNION SELECT chunk FROM evidence WHERE evidence.session = :session
     ) AND source = 0 AND removed_at IS NULL AND invalidated_at IS NULL AND (:shared = 0 OR session <> :session
       OR EXISTS (SELECT 1 FROM evidence WHERE evidence.chunk = chunk.id AND evidence.session <> :session))`,
  ),
  texts: namedStatement("SELECT content FROM chunk WHERE id IN (SELECT value FROM json_each(:ids))"),
  hide: namedStatement("UPDATE chunk SET removed_at = :now, removed_reason = '' WHERE id = :id AND removed_at IS NULL"),
  removed: namedStatement(
    `SELECT removed_at, policy, review, invalidated_at IS NULL,
       (SELECT min(other.id) FROM chunk AS other WHERE other.subject_key <> '' AND other.invalidated_at IS NULL
          AND other.removed_at IS NULL AND other.review = 'accepted' AND other.id <> chunk.id
          AND (other.subject_key, other.domain, other.kind, other.namespace) = (chunk.subject_key, chunk.domain, chunk.kind, chunk.namespace))
     FROM chunk WHERE id = :id AND removed_at IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM forgetting, json_each(forgetting.chunks) AS one
       WHERE forgetting.settled_at IS NULL AND forgetting.done_at IS NULL AND one.value = :id)`,
  ),
  restore: namedStatement("UPDATE chunk SET removed_at = NULL, removed_reason = '' WHERE id = :id"),
  listRemoved: namedStatement(
    `SELECT ${COLUMNS} FROM chunk WHERE chunk.id < :before AND removed_at IS NOT NULL AND removed_at > :since AND source = 0
       AND NOT EXISTS (SELECT 1 FROM forgetting, json_each(forgetting.chunks) AS one
         WHERE forgetting.settled_at IS NULL AND forgetting.done_at IS NULL AND one.value = chunk.id)
     ORDER BY chunk.id DESC LIMIT :limit`,
  ),
  reject: namedStatement("UPDATE chunk SET review = 'rejected' WHERE id = :id"),
});

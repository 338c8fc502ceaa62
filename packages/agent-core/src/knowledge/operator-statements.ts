import { namedStatement } from "../database/index.ts";

const TITLE = "coalesce(search_title, subject || ' ' || heading)";
const TEXT = "coalesce(search_text, content)";

/** The statements of what operators change. */
export const operatorStatements = () => ({
  /** By an own table and a partial index: asked often, and there may be many. */
  size: namedStatement(
    `SELECT (SELECT chunks FROM chunk_count),
       (SELECT count(*) FROM chunk WHERE review = 'pending' AND invalidated_at IS NULL AND removed_at IS NULL)`,
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
    `SELECT count(*) FROM chunk WHERE policy = 'always' AND review = 'accepted' AND invalidated_at IS NULL AND removed_at IS NULL`,
  ),
  /** What is accepted at the subject of a memory. */
  supersedeOthers: namedStatement(
    `UPDATE chunk SET invalidated_at = :now, superseded_by = :id WHERE subject_key <> '' AND invalidated_at IS NULL
       AND removed_at IS NULL AND review = 'accepted' AND id <> :id
       AND (subject_key, domain, kind) = (SELECT subject_key, domain, kind FROM chunk WHERE id = :id)`,
  ),
  accept: namedStatement(
    "UPDATE chunk SET review = 'accepted', review_reason = '', trust = 3, confirmed_at = :now WHERE id = :id",
  ),
  reject: namedStatement("UPDATE chunk SET review = 'rejected' WHERE id = :id"),
});

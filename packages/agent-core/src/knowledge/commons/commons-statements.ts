import { namedStatement } from "../../database/index.ts";

/** The statements of rows that follow the commons. */
export const commonsStatements = () => ({
  known: namedStatement("SELECT file, version FROM commons_copy"),
  insert: namedStatement(
    `INSERT INTO chunk (domain, kind, subject, heading, subject_key, content, search_title, search_text, policy, trust,
       review, review_reason, session, task, created_at, confirmed_at, namespace)
     VALUES (:domain, :kind, :subject, :heading, '', :content, :searchTitle, :searchText, :policy, :trust,
       'accepted', '', '', '', :created, :updated, 'commons')`,
  ),
  note: namedStatement("INSERT INTO commons_copy (file, version, chunk) SELECT :file, :version, max(id) FROM chunk"),
  unread: namedStatement("INSERT INTO commons_copy (file, version, chunk) VALUES (:file, :version, 0)"),
  remove: namedStatement("DELETE FROM chunk WHERE id = (SELECT chunk FROM commons_copy WHERE file = :file)"),
  unknow: namedStatement("DELETE FROM commons_copy WHERE file = :file"),
  held: namedStatement(
    `SELECT c.file, h.content FROM commons_copy AS c JOIN chunk AS h ON h.id = c.chunk
     WHERE c.file IN (SELECT value FROM json_each(:files))`,
  ),
  fileOf: namedStatement("SELECT file FROM commons_copy WHERE chunk = :id"),
});

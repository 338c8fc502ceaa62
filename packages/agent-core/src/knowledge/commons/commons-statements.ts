import { namedStatement } from "../../database/index.ts";
import { COMMONS } from "../chunk.ts";

const CHUNKS = "(SELECT value FROM json_each(:chunks))";
const TITLE = "coalesce(search_title, subject || ' ' || heading)";
const TEXT = "coalesce(search_text, content)";

/** The statements of rows that follow the commons: of `:namespace`, blank where the memories are those of the commons. */
export const commonsStatements = () => ({
  known: namedStatement(
    `SELECT file, version, commons_copy.chunk, writing FROM commons_copy LEFT JOIN chunk ON chunk.id = commons_copy.chunk
     WHERE chunk.id IS NULL OR chunk.namespace = :namespace`,
  ),
  insert: namedStatement(
    `INSERT INTO chunk (domain, kind, subject, heading, subject_key, content, search_title, search_text, policy, trust,
       review, review_reason, session, task, created_at, confirmed_at, expires_at, namespace)
     VALUES (:domain, :kind, :subject, :heading, :key, :content, :searchTitle, :searchText, :policy, :trust,
       'accepted', '', '', '', :created, :updated, :expires, :namespace)`,
  ),
  /** The words of the former text are taken out of the index by that text. */
  unindex: namedStatement(
    `INSERT INTO chunk_text (chunk_text, rowid, title, text) SELECT 'delete', id, ${TITLE}, ${TEXT} FROM chunk WHERE id = :id`,
  ),
  replace: namedStatement(
    `UPDATE chunk SET domain = :domain, kind = :kind, subject = :subject, heading = :heading, subject_key = :key,
       content = :content, search_title = :searchTitle, search_text = :searchText, policy = :policy, trust = :trust,
       confirmed_at = :updated, expires_at = :expires, revision = revision +
         (content <> :content OR subject <> :subject OR heading <> :heading OR policy <> :policy) WHERE id = :id`,
  ),
  index: namedStatement(
    `INSERT INTO chunk_text (rowid, title, text) SELECT id, ${TITLE}, ${TEXT} FROM chunk WHERE id = :id`,
  ),
  unmerge: namedStatement("UPDATE chunk_count SET unmerged = unmerged + 1"),
  note: namedStatement("INSERT INTO commons_copy (file, version, chunk) SELECT :file, :version, max(id) FROM chunk"),
  /** What was to be written there is. */
  link: namedStatement("INSERT OR REPLACE INTO commons_copy (file, version, chunk) VALUES (:file, :version, :chunk)"),
  unlink: namedStatement("DELETE FROM commons_copy WHERE file = :file AND chunk = :chunk"),
  remove: namedStatement("DELETE FROM chunk WHERE id = :chunk"),
  /** What of the commons is not read where the scope is another one. */
  held: namedStatement(
    `SELECT c.file, h.content FROM commons_copy AS c JOIN chunk AS h ON h.id = c.chunk
     WHERE h.namespace = '${COMMONS}' AND c.file IN (SELECT value FROM json_each(:files))`,
  ),
  fileOf: namedStatement("SELECT file FROM commons_copy WHERE chunk = :id"),
});

/** The statements of memories that are written to the commons. */
export const sharingStatements = () => ({
  scope: namedStatement("SELECT shared FROM commons_scope"),
  setScope: namedStatement("UPDATE commons_scope SET shared = :shared"),
  /** What is said in a conversation alone, and its summary, is in sight in every scope. */
  setAside: namedStatement("UPDATE chunk SET namespace = :aside WHERE namespace = '' AND domain <> 'conversation'"),
  setAsideSources: namedStatement("UPDATE source SET namespace = :aside WHERE namespace = ''"),
  bringBack: namedStatement("UPDATE chunk SET namespace = '' WHERE namespace = :aside"),
  bringBackSources: namedStatement("UPDATE source SET namespace = '' WHERE namespace = :aside"),
  dropLinks: namedStatement(
    `DELETE FROM commons_copy WHERE chunk = 0 OR chunk IN (SELECT id FROM chunk WHERE namespace = '${COMMONS}')`,
  ),
  dropCopies: namedStatement(`DELETE FROM chunk WHERE namespace = '${COMMONS}'`),
  isLinked: namedStatement(
    "SELECT 1 FROM commons_copy WHERE EXISTS (SELECT 1 FROM chunk WHERE chunk.id = commons_copy.chunk AND namespace = '') LIMIT 1",
  ),
  /** The newest first, so that what replaces another one is written before that one is taken out. */
  changed: namedStatement(
    `SELECT change.chunk, changes, domain, kind, subject, heading, subject_key, content, policy, trust, created_at,
       confirmed_at, expires_at, source,
       coalesce(namespace = '' AND domain <> 'conversation' AND review = 'accepted' AND invalidated_at IS NULL
         AND removed_at IS NULL AND (source = 0 OR EXISTS
           (SELECT 1 FROM source AS origin WHERE origin.id = chunk.source AND origin.state = 'ready')), 0)
     FROM commons_change AS change LEFT JOIN chunk ON chunk.id = change.chunk
     ORDER BY change.chunk DESC LIMIT :limit`,
  ),
  changedOf: namedStatement(`SELECT chunk FROM commons_change WHERE chunk IN ${CHUNKS}`),
  linksOf: namedStatement(
    `SELECT file, version, chunk, writing FROM commons_copy
     WHERE file IN (SELECT file FROM commons_copy WHERE chunk IN ${CHUNKS} UNION SELECT value FROM json_each(:names))`,
  ),
  intend: namedStatement(
    `INSERT INTO commons_copy (file, version, chunk, writing) VALUES (:file, '', :chunk, :writing)
     ON CONFLICT (file, chunk) DO UPDATE SET writing = excluded.writing`,
  ),
  done: namedStatement("DELETE FROM commons_change WHERE chunk = :chunk AND changes = :changes"),
  again: namedStatement("INSERT OR IGNORE INTO commons_change (chunk, changes) VALUES (:chunk, 1)"),
  forgetChange: namedStatement("DELETE FROM commons_change WHERE chunk = :chunk"),
  forgetNewest: namedStatement("DELETE FROM commons_change WHERE chunk = (SELECT max(id) FROM chunk)"),
  /** What stands at the subject of a memory of the commons, or says the same. */
  standing: namedStatement(
    `SELECT id, content, trust FROM chunk WHERE :key <> '' AND subject_key <> '' AND subject_key = :key AND domain = :domain
       AND kind = :kind AND namespace = '' AND review = 'accepted' AND invalidated_at IS NULL AND removed_at IS NULL
     UNION ALL
     SELECT id, content, trust FROM chunk WHERE :key = '' AND subject_key = '' AND domain = :domain
       AND substr(content, 1, 64) = substr(:content, 1, 64) AND content = :content
       AND namespace = '' AND review = 'accepted' AND invalidated_at IS NULL AND removed_at IS NULL
     LIMIT 1`,
  ),
  hold: namedStatement(
    "UPDATE chunk SET review = 'pending', review_reason = 'it contradicts what the operator wrote' WHERE id = :id",
  ),
});

import { namedStatement, type Row } from "../../database/index.ts";
import type { Source, SourceState } from "./source.ts";

const COLUMNS =
  "id, state, uri, name, domain, namespace, title, type, bytes, chars, total, done, error_code, error, session, created_at, removed_at";

/** The statements about sources. */
export const sourceStatements = () => ({
  insert: namedStatement(
    `INSERT INTO source (state, uri, name, media_type, digest, domain, namespace, title, type, bytes, chars, total, done,
       error_code, error, held, session, task, created_at)
     VALUES ('receiving', :uri, :name, :mediaType, :digest, :domain, :namespace, :title, '', :bytes, 0, 0, 0,
       '', '', :held, :session, :task, :now)`,
  ),
  sameBytes: namedStatement(
    `SELECT ${COLUMNS} FROM source WHERE digest = :digest AND domain = :domain AND namespace = :namespace ORDER BY id DESC LIMIT 1`,
  ),
  byId: namedStatement(`SELECT ${COLUMNS} FROM source WHERE id = :id`),
  list: namedStatement(
    `SELECT ${COLUMNS} FROM source WHERE id < :before AND (:domain = '' OR domain = :domain) AND namespace = ''
       AND state NOT IN ('receiving') AND (:removed = 1 OR state <> 'removed') ORDER BY id DESC LIMIT :limit`,
  ),
  /** The newest that an address or a title names. */
  named: namedStatement(
    `SELECT ${COLUMNS} FROM source WHERE namespace = '' AND state IN (:first, :second) AND (uri = :named OR title = :named OR name = :named)
     ORDER BY id DESC LIMIT 1`,
  ),
  open: namedStatement("SELECT count(*) FROM source WHERE state IN ('receiving', 'queued', 'reading')"),
  /** What a former process left. */
  left: namedStatement(`SELECT ${COLUMNS} FROM source WHERE state IN ('receiving', 'reading') ORDER BY id LIMIT 1000`),
  nextQueued: namedStatement(`SELECT ${COLUMNS} FROM source WHERE state = 'queued' ORDER BY id LIMIT 1`),
  reading: namedStatement("SELECT media_type, held FROM source WHERE id = :id"),
  enter: namedStatement("UPDATE source SET state = :state WHERE id = :id AND state = :from"),
  measured: namedStatement(
    "UPDATE source SET type = :type, title = iif(title = '', :title, title), chars = :chars, total = :total WHERE id = :id AND state = 'reading'",
  ),
  stored: namedStatement("UPDATE source SET done = done + :count WHERE id = :id AND state = 'reading'"),
  again: namedStatement("UPDATE source SET state = 'queued', done = 0 WHERE id = :id AND state = 'reading'"),
  fail: namedStatement(
    "UPDATE source SET state = 'failed', error_code = :code, error = :error WHERE id = :id AND state IN ('queued', 'reading')",
  ),
  /** The version that was read from the same address before is removed. */
  replaceOthers: namedStatement(
    `UPDATE source SET state = 'removed', removed_at = :now WHERE id <> :id AND state = 'ready' AND uri <> ''
       AND (uri, domain, namespace) = (SELECT uri, domain, namespace FROM source WHERE id = :id)`,
  ),
  remove: namedStatement("UPDATE source SET state = 'removed', removed_at = :now WHERE id = :id AND state = 'ready'"),
  restore: namedStatement(
    "UPDATE source SET state = 'ready', removed_at = NULL WHERE id = :id AND state = 'removed' AND removed_at >= :since",
  ),
  forget: namedStatement("DELETE FROM source WHERE id = :id"),
  ofNamespace: namedStatement("SELECT id FROM source WHERE namespace = :namespace AND namespace <> '' ORDER BY id"),
  expired: namedStatement(
    `SELECT id FROM source WHERE (removed_at IS NOT NULL AND removed_at < :before) OR (state = 'failed' AND created_at < :failedBefore)
     ORDER BY id LIMIT 100`,
  ),
});

/** The statements about the bytes of sources, and their chunks. */
export const sourceContentStatements = () => ({
  addPart: namedStatement("INSERT INTO source_part (source, part, bytes) VALUES (:id, :part, :bytes)"),
  part: namedStatement("SELECT bytes FROM source_part WHERE source = :id AND part = :part"),
  dropParts: namedStatement(
    "DELETE FROM source_part WHERE source = :id AND part IN (SELECT part FROM source_part WHERE source = :id LIMIT 8)",
  ),
  hasParts: namedStatement("SELECT 1 FROM source_part WHERE source = :id LIMIT 1"),
  /** Bytes of sources that are not to be read any more. */
  staleParts: namedStatement(
    `SELECT DISTINCT source FROM source_part AS held
     WHERE NOT EXISTS (SELECT 1 FROM source WHERE source.id = held.source AND source.state IN ('receiving', 'queued', 'reading')) LIMIT 100`,
  ),
  /** Written only while its source is read. */
  addChunk: namedStatement(
    `INSERT INTO chunk (domain, kind, subject, heading, subject_key, content, search_title, search_text, policy, trust,
       review, review_reason, session, task, created_at, confirmed_at, source, place, namespace)
     SELECT domain, 'reference', '', :heading, '', :content, :searchTitle, :searchText,
       iif(domain = 'hot', 'always', 'retrieved'), 1, iif(held = '', 'accepted', 'pending'), held, session, task, :now, :now,
       id, :place, namespace
     FROM source WHERE id = :id AND state = 'reading'`,
  ),
  chunkIds: namedStatement("SELECT id FROM chunk WHERE source = :id AND removed_at IS NULL ORDER BY place"),
  countOf: namedStatement("SELECT count(*) FROM chunk WHERE source = :id AND removed_at IS NULL"),
  alwaysOf: namedStatement(
    "SELECT id, substr(content, 1, 240) FROM chunk WHERE source = :id AND policy = 'always' AND review = 'accepted' LIMIT 500",
  ),
  room: namedStatement(
    `SELECT (SELECT chunks FROM chunk_count),
       (SELECT count(*) FROM chunk WHERE policy = 'always' AND invalidated_at IS NULL AND removed_at IS NULL)`,
  ),
  /** A bite of a document's chunks. */
  dropChunks: namedStatement(
    "DELETE FROM chunk WHERE id IN (SELECT id FROM chunk WHERE source = :id AND source > 0 LIMIT 100)",
  ),
  hasChunks: namedStatement("SELECT 1 FROM chunk WHERE source = :id AND source > 0 LIMIT 1"),
});

/** A row of these. */
export function sourceOf(row: Row): Source {
  const [id, state, uri, name, domain, namespace, title, type, bytes, chars, total, done, ...rest] = row;
  const [errorCode, error, session, created, removed] = rest;
  return {
    ...{ id: Number(id), state: String(state) as SourceState, uri: String(uri), name: String(name) },
    ...{ domain: String(domain), namespace: String(namespace), title: String(title), type: String(type) },
    ...{ bytes: Number(bytes), chars: Number(chars), total: Number(total), done: Number(done) },
    ...{ errorCode: String(errorCode), error: String(error), session: String(session), createdAt: Number(created) },
    removedAt: removed == null ? undefined : Number(removed),
  };
}

import { namedStatement } from "../../database/index.ts";

const IDS = "(SELECT value FROM json_each(:ids))";

/** The statements of forgetting in the knowledge store. */
export const forgettingStatements = () => ({
  byIds: namedStatement(`SELECT id FROM chunk WHERE id IN ${IDS} AND namespace <> 'commons'`),
  bySource: namedStatement("SELECT id FROM chunk WHERE source > 0 AND source = :source ORDER BY place"),
  bySubject: namedStatement("SELECT id FROM chunk WHERE subject_key = :key LIMIT 10000"),
  bySession: namedStatement(
    `SELECT id FROM chunk WHERE session <> '' AND session = :session AND source = 0
     AND NOT EXISTS (SELECT 1 FROM evidence WHERE evidence.chunk = chunk.id AND evidence.session <> :session) LIMIT 100000`,
  ),
  sourceById: namedStatement("SELECT id FROM source WHERE id = :source"),
  sourcesOfSession: namedStatement("SELECT id FROM source WHERE session = :session LIMIT 10000"),
  attachments: namedStatement(
    "SELECT count(*) FROM source WHERE namespace IN (SELECT value FROM json_each(:namespaces))",
  ),
  expired: namedStatement(
    "SELECT id FROM chunk WHERE removed_at IS NOT NULL AND removed_at < :before ORDER BY removed_at LIMIT 1000",
  ),
  saidIn: namedStatement(
    `SELECT 1 FROM chunk WHERE session <> '' AND session = :session AND source = 0
     UNION ALL SELECT 1 FROM evidence WHERE session = :session LIMIT 1`,
  ),
  /** What others said too is theirs from then on. */
  handOver: namedStatement(
    `UPDATE chunk SET session = (SELECT min(e.session) FROM evidence AS e WHERE e.chunk = chunk.id AND e.session <> :session)
     WHERE session <> '' AND session = :session AND source = 0
     AND EXISTS (SELECT 1 FROM evidence AS e WHERE e.chunk = chunk.id AND e.session <> :session)`,
  ),
  dropEvidence: namedStatement(
    "DELETE FROM evidence WHERE session = :session OR session = (SELECT session FROM chunk WHERE chunk.id = evidence.chunk)",
  ),
  hide: namedStatement(`UPDATE chunk SET removed_at = coalesce(removed_at, :at) WHERE id IN ${IDS}`),
  /** As long ago as possible: it cannot be restored. */
  hideSources: namedStatement(`UPDATE source SET state = 'removed', removed_at = 0 WHERE id IN ${IDS}`),
  intend: namedStatement(
    "INSERT INTO forgetting (scope, chunks, sources, begun_at) VALUES (:scope, :chunks, :sources, :at)",
  ),
  newest: namedStatement("SELECT max(id) FROM forgetting"),
  known: namedStatement(`SELECT id, content, session FROM chunk WHERE id IN ${IDS}`),
  vectors: namedStatement(`SELECT count(*) FROM vector WHERE chunk IN ${IDS}`),
  remove: namedStatement(`DELETE FROM chunk WHERE id IN ${IDS}`),
  done: namedStatement("UPDATE forgetting SET counts = :counts, done_at = :at WHERE id = :id"),
  settled: namedStatement("UPDATE forgetting SET settled_at = :at WHERE id = :id"),
  unfinished: namedStatement(
    "SELECT id, scope, chunks, sources, done_at IS NOT NULL FROM forgetting WHERE settled_at IS NULL ORDER BY id LIMIT 1000",
  ),
  receipts: namedStatement(
    `SELECT id, scope, counts, begun_at, done_at FROM forgetting WHERE id < :before AND done_at IS NOT NULL
     ORDER BY id DESC LIMIT :limit`,
  ),
});

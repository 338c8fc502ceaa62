import { namedStatement } from "../../database/index.ts";

/** What a search by meaning may find. Attachments are searched by their words. */
const FOUND = "invalidated_at IS NULL AND removed_at IS NULL AND namespace = '' AND review = 'accepted'";
const CURRENT = `(expires_at IS NULL OR expires_at > :now) AND ${FOUND}`;
const WAITING = `embedded < :model AND ${CURRENT}`;

/** The statements of vectors. */
export const embeddingStatements = () => ({
  newestModel: namedStatement(
    "SELECT id, dims, mean, floor FROM embed_model WHERE name = :name ORDER BY id DESC LIMIT 1",
  ),
  newestId: namedStatement("SELECT coalesce(max(id), 0) FROM embed_model"),
  addModel: namedStatement(
    "INSERT INTO embed_model (name, dims, mean, floor, created_at) VALUES (:name, :dims, :mean, :floor, :at)",
  ),
  waiting: namedStatement(
    `SELECT id, revision, subject, heading, content FROM chunk WHERE ${WAITING} ORDER BY embedded, id DESC LIMIT :limit`,
  ),
  waitingCount: namedStatement(`SELECT count(*) FROM chunk WHERE ${WAITING}`),
  store: namedStatement(
    `INSERT OR REPLACE INTO vector (chunk, model, signs, full)
     SELECT id, :model, :signs, :full FROM chunk WHERE id = :id AND revision = :revision`,
  ),
  shown: namedStatement("UPDATE chunk SET embedded = :model WHERE id = :id AND revision = :revision"),
  signs: namedStatement(
    `SELECT chunk, signs FROM vector JOIN chunk AS found ON found.id = vector.chunk
     WHERE model = :model AND chunk > :after AND ${FOUND} ORDER BY chunk LIMIT :limit`,
  ),
  signsOf: namedStatement(
    `SELECT signs FROM vector JOIN chunk AS found ON found.id = vector.chunk
     WHERE model = :model AND chunk = :id AND ${FOUND}`,
  ),
  full: namedStatement(
    `SELECT found.id, full FROM chunk AS found LEFT JOIN vector ON chunk = found.id AND model = :model
     WHERE found.id IN (SELECT value FROM json_each(:ids)) AND ${CURRENT}`,
  ),
});

import { namedStatement, type Row } from "../database/index.ts";
import {
  type Chunk,
  type ChunkFilter,
  COMMONS,
  type DeliveryPolicy,
  folded,
  type MemoryKind,
  type ReviewState,
  TRUSTS,
  type Trust,
} from "./chunk.ts";
import { contradictedBy } from "./decide-write.ts";

export const COLUMNS =
  "chunk.id, revision, domain, kind, subject, heading, content, policy, trust, review, session, created_at, confirmed_at, expires_at, superseded_by, chunk.source, (SELECT title FROM source AS origin WHERE origin.id = chunk.source), (SELECT type FROM source AS origin WHERE origin.id = chunk.source), task, invalidated_at, namespace, review_reason";
/** Of no document, or of one that was read whole and is shown. */
const SHOWN_SOURCE =
  "(source = 0 OR EXISTS (SELECT 1 FROM source AS origin WHERE origin.id = chunk.source AND origin.state = 'ready'))";
const CURRENT = `removed_at IS NULL AND (expires_at IS NULL OR expires_at > :now) AND ${SHOWN_SOURCE}`;
export const LIVE = `${CURRENT} AND namespace = ''`;
/** With what the agents of a home share. */
export const LIVE_WITH_COMMONS = `${CURRENT} AND namespace IN ('', '${COMMONS}')`;
/** With what of that this agent does not say itself in the same words (K26). */
const LIVE_ONCE = `${CURRENT} AND (namespace = '' OR (namespace = '${COMMONS}' AND NOT EXISTS (
  SELECT 1 FROM chunk AS own WHERE own.domain = chunk.domain AND substr(own.content, 1, 64) = substr(chunk.content, 1, 64)
    AND own.namespace = '' AND own.invalidated_at IS NULL AND own.removed_at IS NULL
    AND own.content = chunk.content AND own.kind = chunk.kind AND own.policy = chunk.policy AND own.review = 'accepted'
    AND (own.expires_at IS NULL OR own.expires_at > :now))))`;
/** With the attachments of the conversation that `:namespace` names. */
export const LIVE_IN_CONVERSATION = `${CURRENT} AND namespace IN ('', '${COMMONS}', :namespace)`;
/** Whether it is one of the commons, and not this agent's alone. */
const TIER = `iif(namespace = '${COMMONS}' OR (namespace = '' AND domain <> 'conversation' AND review = 'accepted'
  AND invalidated_at IS NULL AND (SELECT shared FROM commons_scope) = 1), 'commons', 'private')`;
const WANTED = `(:domain = '' OR domain = :domain) AND (:source = 0 OR source = :source) AND (:tier = '' OR :tier = ${TIER}) AND (:kind = '' OR kind = :kind) AND (:policy = '' OR policy = :policy)
  AND review = :review AND (:superseded = 1 OR invalidated_at IS NULL)`;

/** The statements of the knowledge store. */
export const chunkStatements = () => ({
  carriedOut: namedStatement("SELECT chunk, outcome FROM carried_out WHERE call = :call"),
  standing: namedStatement(
    `SELECT id, content, policy, trust, review, review_reason FROM chunk
     WHERE subject_key <> '' AND invalidated_at IS NULL AND ${LIVE}
       AND subject_key = :key AND domain = :domain AND kind = :kind AND review IN ('accepted', 'pending')
     ORDER BY review, id DESC LIMIT 100`,
  ),
  room: namedStatement(
    `SELECT (SELECT chunks FROM chunk_count),
       (SELECT count(*) FROM chunk WHERE policy = 'always' AND invalidated_at IS NULL AND removed_at IS NULL AND namespace = '')`,
  ),
  insert: namedStatement(
    `INSERT INTO chunk (domain, kind, subject, heading, subject_key, content, search_title, search_text, policy, trust,
       review, review_reason, session, task, created_at, confirmed_at, expires_at)
     SELECT :domain, :kind, :subject, :heading, :key, :content, :searchTitle, :searchText, :policy, :trust,
       :review, :why, :session, :task, :at, :at, :expires
     WHERE NOT EXISTS (SELECT 1 FROM carried_out WHERE call = :call)`,
  ),
  supersede: namedStatement(
    "UPDATE chunk SET invalidated_at = :at, superseded_by = (SELECT max(id) FROM chunk) WHERE id = :id",
  ),
  confirm: namedStatement(
    `UPDATE chunk SET confirmed_at = :at, expires_at = iif(:renews = 1, :expires, expires_at)
     WHERE id = :id AND NOT EXISTS (SELECT 1 FROM carried_out WHERE call = :call)`,
  ),
  evidence: namedStatement(
    `INSERT OR IGNORE INTO evidence (chunk, session)
     SELECT id, :session FROM chunk WHERE id = :id AND :session <> '' AND session <> '' AND session <> :session`,
  ),
  forget: namedStatement(
    `UPDATE chunk SET removed_at = :at, removed_reason = :reason
     WHERE id = :id AND namespace <> '${COMMONS}' AND removed_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM carried_out WHERE call = :call)`,
  ),
  rememberNewest: namedStatement(
    "INSERT INTO carried_out (call, chunk, outcome, at) SELECT :call, max(id), :outcome, :at FROM chunk",
  ),
  remember: namedStatement("INSERT INTO carried_out (call, chunk, outcome, at) VALUES (:call, :id, :outcome, :at)"),
  forgetCalls: namedStatement(
    "DELETE FROM carried_out WHERE call IN (SELECT call FROM carried_out WHERE at < :before ORDER BY at LIMIT 100)",
  ),
  purgeable: namedStatement("SELECT count(*) FROM chunk WHERE removed_at IS NOT NULL AND removed_at < :before"),
  purge: namedStatement(
    `DELETE FROM chunk WHERE id IN
       (SELECT id FROM chunk WHERE removed_at IS NOT NULL AND removed_at < :before ORDER BY removed_at LIMIT 100)`,
  ),
  byId: namedStatement(`SELECT ${COLUMNS} FROM chunk WHERE id = :id AND removed_at IS NULL AND ${SHOWN_SOURCE}`),
  search: namedStatement(
    `SELECT ${COLUMNS} FROM chunk_text JOIN chunk ON chunk.id = chunk_text.rowid
     WHERE chunk_text MATCH :query AND ${LIVE_WITH_COMMONS} AND ${WANTED}
     ORDER BY bm25(chunk_text, 2.0, 1.0), chunk.id DESC LIMIT :limit`,
  ),
  byIds: namedStatement(
    `SELECT ${COLUMNS} FROM chunk WHERE id IN (SELECT value FROM json_each(:ids)) AND ${LIVE_WITH_COMMONS} AND ${WANTED}`,
  ),
  list: namedStatement(
    `SELECT ${COLUMNS} FROM chunk WHERE chunk.id < :before AND ${LIVE_ONCE} AND ${WANTED} ORDER BY chunk.id DESC LIMIT :limit`,
  ),
  rejected: namedStatement(
    "SELECT content FROM chunk WHERE review = 'rejected' AND removed_at IS NULL AND namespace = '' ORDER BY id DESC LIMIT 1000",
  ),
  counts: namedStatement(
    `SELECT domain, count(*) FILTER (WHERE review = 'accepted'), count(*) FILTER (WHERE review = 'pending')
     FROM chunk WHERE ${LIVE_ONCE} AND invalidated_at IS NULL GROUP BY domain ORDER BY domain LIMIT 1000`,
  ),
});

/** How a trust is stored: a number, the least trusted first. */
export function trustNumber(trust: Trust): number {
  return TRUSTS.indexOf(trust) + 1;
}

/** @returns the trust of a stored number */
export function trustOf(stored: unknown): Trust {
  return TRUSTS[Number(stored) - 1] ?? "outside";
}

/** A row of `byId`, `search` or `list`. */
export function chunkOf(row: Row): Chunk {
  const [id, revision, domain, kind, subject, heading, content, policy, trust, review, session, ...times] = row;
  const [
    created,
    confirmed,
    expires,
    supersededBy,
    source,
    sourceTitle,
    sourceType,
    task,
    invalidated,
    namespace,
    why,
  ] = times;
  return {
    ...{ id: Number(id), revision: Number(revision), domain: String(domain), kind: String(kind) as MemoryKind },
    ...{ subject: String(subject), heading: String(heading), content: String(content) },
    ...{ policy: String(policy) as DeliveryPolicy, trust: trustOf(trust), review: String(review) as ReviewState },
    ...{ session: String(session), task: String(task), createdAt: Number(created), confirmedAt: Number(confirmed) },
    expiresAt: expires == null ? undefined : Number(expires),
    invalidatedAt: invalidated == null ? undefined : Number(invalidated),
    namespace: String(namespace),
    waitsBecause: review === "pending" ? String(why) : "",
    contradicts: review === "pending" ? contradictedBy(String(why)) : undefined,
    supersededBy: supersededBy == null ? undefined : Number(supersededBy),
    source:
      sourceTitle == null ? undefined : { id: Number(source), title: String(sourceTitle), type: String(sourceType) },
  };
}

/** What a filter binds. Default: what was accepted and not corrected since. */
export function wantedOf(
  { domain = "", kind, policy, source = 0, tier, review = "accepted", includeSuperseded = false }: ChunkFilter,
  now: number,
) {
  const superseded = includeSuperseded ? 1 : 0;
  return {
    domain: folded(domain),
    kind: kind ?? "",
    policy: policy ?? "",
    source,
    tier: tier ?? "",
    review,
    superseded,
    now,
  };
}

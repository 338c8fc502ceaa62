/** Memories as operators see and change them (K5, K8, K21). */
import type { Chunk, OperatorKnowledge } from "@agent-service/agent-core/host";
import type { KnowledgeService } from "@agent-service/operator-api";
import { refusing } from "./refusing.ts";

const PREVIEW = 240;

export function knowledgeService(knowledge: OperatorKnowledge): KnowledgeService {
  return {
    search: ({ q, k, domain, memory_kind, review_state, include_superseded, mode, before }) =>
      refusing(async () => {
        const filter = { domain, kind: memory_kind, review: review_state, includeSuperseded: include_superseded };
        if (q.trim() === "") {
          const results = (await knowledge.list(filter, k, before)).map(rowOf);
          return { results, mode: "keyword", degraded: false, indexing: false };
        }
        const { chunks, isDegraded, isIndexing, ...found } = await knowledge.search(q, filter, k, mode);
        return { results: chunks.map(rowOf), mode: found.mode, degraded: isDegraded, indexing: isIndexing };
      }),
    stats: () => refusing(() => knowledge.stats()),
    add: ({ memory_kind, delivery_policy, ...body }) =>
      refusing(async () => rowOf(await knowledge.add({ ...body, kind: memory_kind, policy: delivery_policy }))),
    edit: (id, { memory_kind, delivery_policy, ...body }) =>
      refusing(async () => rowOf(await knowledge.edit(id, { ...body, kind: memory_kind, policy: delivery_policy }))),
    remove: (id) => refusing(() => knowledge.remove(id)),
    review: (id, decision) => refusing(async () => rowOf(await knowledge.review(id, decision))),
  };
}

/** A memory as the API shows it. */
export function rowOf(chunk: Chunk) {
  const { id, revision, heading, content, domain, kind, subject, policy, review, trust, session, source } = chunk;
  return {
    ...{ id, revision, heading, content, preview: content.slice(0, PREVIEW).toWellFormed(), domain },
    ...{ memory_kind: kind, subject, delivery_policy: policy, review_state: review, trust },
    ...{ source: source?.title ?? null, source_id: source?.id ?? null, source_type: source?.type ?? null },
    session_id: session === "" ? null : session,
    created_at: new Date(chunk.createdAt).toISOString(),
    updated_at: new Date(chunk.confirmedAt).toISOString(),
    expires_at: chunk.expiresAt === undefined ? null : new Date(chunk.expiresAt).toISOString(),
    superseded_by: chunk.supersededBy ?? null,
  };
}

/** Memories as operators see and change them (K5, K8, K21). */
import type { Chunk, OpenKnowledge, OperatorKnowledge } from "@agent-service/agent-core/host";
import type { ChunkRow, KnowledgeService } from "@agent-service/operator-api";
import { refusing } from "./refusing.ts";

const PREVIEW = 240;

export function knowledgeService(knowledge: OperatorKnowledge, commons: OpenKnowledge["commons"]): KnowledgeService {
  const { rows, one } = chunkRows(commons);
  return {
    search: ({ q, k, domain, memory_kind, review_state, source_id: source, tier, mode, before, ...query }) =>
      refusing(async () => {
        const filter = {
          ...{ domain, kind: memory_kind, review: review_state, source, tier },
          includeSuperseded: query.include_superseded,
        };
        if (q.trim() === "") {
          const results = await rows(await knowledge.list(filter, k, before));
          return { results, mode: "keyword", degraded: false, indexing: false };
        }
        const { chunks, isDegraded, isIndexing, ...found } = await knowledge.search(q, filter, k, mode);
        return {
          results: await rows(chunks, found.scores),
          mode: found.mode,
          degraded: isDegraded,
          indexing: isIndexing,
        };
      }),
    stats: () => refusing(() => knowledge.stats()),
    add: ({ memory_kind: kind, delivery_policy: policy, expires_in_days, ...body }) =>
      refusing(async () => one(await knowledge.add({ ...body, kind, policy, days: expires_in_days ?? undefined }))),
    edit: (id, { memory_kind, delivery_policy, ...body }) =>
      refusing(async () => one(await knowledge.edit(id, { ...body, kind: memory_kind, policy: delivery_policy }))),
    remove: (id) => refusing(() => knowledge.remove(id)),
    hide: (id) => refusing(() => knowledge.hide(id)),
    restore: (id) => refusing(async () => one(await knowledge.restore(id))),
    removed: (limit, before) => refusing(async () => rows(await knowledge.removed(limit, before))),
    promote: (id) => refusing(() => commons.promote(id)),
    withdraw: (id) => refusing(() => commons.withdraw(id)),
    review: (id, decision) => refusing(async () => one(await knowledge.review(id, decision))),
  };
}

/** Memories as the API shows them, with what the commons hold of each. */
export function chunkRows(commons: Pick<OpenKnowledge["commons"], "held" | "isOfCommons">) {
  const tier = (chunk: Chunk) => (commons.isOfCommons(chunk) ? ("commons" as const) : ("private" as const));
  return {
    async rows(chunks: readonly Chunk[], scores: readonly number[] = []): Promise<readonly ChunkRow[]> {
      const held = await commons.held(chunks);
      return chunks.map((chunk, at) => ({
        ...{ ...rowOf(chunk, scores[at]), tier: tier(chunk), commons: held[at] ?? null },
      }));
    },
    async one(chunk: Chunk): Promise<ChunkRow> {
      const [held] = await commons.held([chunk]);
      return { ...rowOf(chunk), tier: tier(chunk), commons: held ?? null };
    },
  };
}

function rowOf(chunk: Chunk, score?: number) {
  const { id, revision, heading, content, domain, kind, subject, policy, review, trust, session, source } = chunk;
  return {
    ...{ id, revision, heading, content, preview: content.slice(0, PREVIEW).toWellFormed(), domain },
    ...{ memory_kind: kind, subject, delivery_policy: policy, review_state: review, trust },
    ...{ source: source?.title ?? null, source_id: source?.id ?? null, source_type: source?.type ?? null },
    ...{ finding_type: null, review_reason: chunk.waitsBecause === "" ? null : chunk.waitsBecause },
    contradicts: chunk.contradicts ?? null,
    ...{ session_id: session === "" ? null : session, task_id: chunk.task === "" ? null : chunk.task },
    created_at: new Date(chunk.createdAt).toISOString(),
    updated_at: new Date(chunk.confirmedAt).toISOString(),
    expires_at: chunk.expiresAt === undefined ? null : new Date(chunk.expiresAt).toISOString(),
    invalidated_at: chunk.invalidatedAt === undefined ? null : new Date(chunk.invalidatedAt).toISOString(),
    ...{
      superseded_by: chunk.supersededBy ?? null,
      score: score ?? null,
    },
    injecting: review === "accepted" && chunk.invalidatedAt === undefined && policy !== "on_demand",
  };
}

/** Memories as operators see and change them (K5, K8, K21). */
import { type Chunk, DatabaseError, KnowledgeError, type OperatorKnowledge } from "@agent-service/agent-core/host";
import { type KnowledgeService, Problem } from "@agent-service/operator-api";

const PREVIEW = 240;
const STATUS = { unknown_chunk: 404, not_waiting: 409, full: 409, too_many_always_on: 409 } as const;

export function knowledgeService(knowledge: OperatorKnowledge): KnowledgeService {
  return {
    search: ({ q, k, domain, memory_kind, review_state, include_superseded, before }) =>
      refusing(async () => {
        const filter = { domain, kind: memory_kind, review: review_state, includeSuperseded: include_superseded };
        return (await knowledge.search(q, filter, k, before)).map(rowOf);
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

function rowOf(chunk: Chunk) {
  const { id, revision, heading, content, domain, kind, subject, policy, review, trust, session } = chunk;
  return {
    ...{ id, revision, heading, content, preview: content.slice(0, PREVIEW).toWellFormed(), domain },
    ...{ memory_kind: kind, subject, delivery_policy: policy, review_state: review, trust },
    session_id: session === "" ? null : session,
    created_at: new Date(chunk.createdAt).toISOString(),
    updated_at: new Date(chunk.confirmedAt).toISOString(),
    expires_at: chunk.expiresAt === undefined ? null : new Date(chunk.expiresAt).toISOString(),
    superseded_by: chunk.supersededBy ?? null,
  };
}

async function refusing<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof KnowledgeError) {
      const { code, message } = error;
      throw new Problem(STATUS[code], `${message.charAt(0).toUpperCase()}${message.slice(1)}.`, { cause: error });
    }
    if (error instanceof DatabaseError)
      throw new Problem(503, "The knowledge store cannot be used now; the log has the reason.", { cause: error });
    throw error;
  }
}

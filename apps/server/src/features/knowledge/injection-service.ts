/** What turns were shown of memory, for the operator API (K20). */
import type { Injection, Injections, MemoryUses, OperatorKnowledge } from "@agent-service/agent-core/host";
import { type InjectionService, Problem } from "@agent-service/operator-api";
import { refusing } from "./refusing.ts";

const CHARACTERS_PER_TOKEN = 4;

export interface InjectionServiceParts {
  readonly injections: Pick<Injections, "list" | "preview">;
  readonly uses: Pick<MemoryUses, "list">;
  readonly operations: Pick<OperatorKnowledge, "find">;
}

export function injectionService(
  { injections, uses, operations }: InjectionServiceParts,
  redact: (text: string) => string,
): InjectionService {
  return {
    async list(page) {
      const found = await injections.list(page);
      return found.map(({ at, task, seq, session, record }) => ({
        row: {
          ...{ id: `${task}/${seq}`, ts: new Date(at).toISOString(), session_id: session, task_id: task },
          ...{ step: record.step, in_sight: inSightOf(record), ...shownOf(record) },
        },
        position: { at, task, seq },
      }));
    },
    uses: (chunk, { limit, before }) =>
      refusing(async () => {
        const { uses: found, next } = await uses.list({ chunk, limit, before });
        if (found.length === 0 && before === undefined && (await operations.find(chunk)) === undefined)
          throw new Problem(404, "There is no such memory; GET /api/knowledge/search lists them.");
        const rows = found.map(({ task, session, at, how, revision = null, effects }) => ({
          ...{ task_id: task, session_id: session, at: new Date(at).toISOString() },
          ...{ how, revision, effects: [...effects] },
        }));
        return { uses: rows, next };
      }),
    preview: (message, session) =>
      refusing(async () => {
        const recalled = await injections.preview(message, session);
        return recalled && { ...shownOf(recalled.record), text: redact(recalled.text) };
      }),
  };
}

function inSightOf({ inSight = [] }: Injection["record"]) {
  return inSight.map((ref) => {
    const [chunk = 0, revision = 0] = ref.split(":").map(Number);
    return { chunk_id: chunk, revision };
  });
}

function shownOf({
  sessions = [],
  items,
  leftOut,
  chars,
  mode,
  degraded,
  late,
  ms,
}: Omit<Injection["record"], "step">) {
  const idsOf = (kind: string): number[] => items.filter((item) => item.kind === kind).map(({ chunk }) => chunk);
  return {
    ...{ digest_session_ids: [...sessions], hot_chunk_ids: idsOf("always"), rag_chunk_ids: idsOf("hit") },
    ...{ approx_tokens: Math.ceil(chars / CHARACTERS_PER_TOKEN), mode, ms },
    ...{ degraded: degraded === true, late: late === true },
    items: items.map(({ chunk, revision, kind, trust, score, rank, vectorRank, words }) => ({
      ...{ chunk_id: chunk, revision, kind, trust, score: score ?? null },
      ...{ keyword_rank: rank ?? null, vector_rank: vectorRank ?? null, words: words ?? null },
    })),
    left_out: leftOut.map(({ chunk, reason }) => ({ chunk_id: chunk, reason })),
  };
}

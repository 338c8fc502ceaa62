/** What turns were shown of memory, for the operator API (K20). */
import type { Injection, Injections } from "@agent-service/agent-core/host";
import type { InjectionService } from "@agent-service/operator-api";
import { refusing } from "./refusing.ts";

const CHARACTERS_PER_TOKEN = 4;

export function injectionService(
  injections: Pick<Injections, "list" | "preview">,
  redact: (text: string) => string,
): InjectionService {
  return {
    async list(page) {
      const found = await injections.list(page);
      return found.map(({ at, task, seq, session, record }) => ({
        row: {
          ...{ id: `${task}/${seq}`, ts: new Date(at).toISOString(), session_id: session, task_id: task },
          ...{ step: record.step, ...shownOf(record) },
        },
        position: { at, task, seq },
      }));
    },
    preview: (message, session) =>
      refusing(async () => {
        const recalled = await injections.preview(message, session);
        return recalled && { ...shownOf(recalled.record), text: redact(recalled.text) };
      }),
  };
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

/** Checks of the store of memories, as the running service has it. */
import { OperatorApiError } from "@agent-service/operator-api/client";
import type { CommandContext } from "../command.ts";
import type { Finding, ReportFinding } from "../finding.ts";

const about = "memory";

interface Meaning {
  readonly isFailing: boolean;
  /** Memories without a vector. */
  readonly waiting: number;
  /** Null: the endpoint was not asked yet. */
  readonly dimensions: number | null;
}

/** What is looked at. */
export interface KnownMemory {
  readonly total: number;
  readonly pending: number;
  /** How memories are found by meaning; undefined: not at all. */
  readonly meaning?: Meaning | undefined;
  readonly failed: readonly { readonly id: number; readonly title: string; readonly error: string | null }[];
}

export async function checkKnowledge({ api }: Pick<CommandContext, "api">, report: ReportFinding): Promise<void> {
  try {
    const { stats, pending } = await api.get("/api/knowledge/search", { query: { k: 1 } });
    const { sources } = await api.get("/api/knowledge/sources", { query: { limit: 200 } });
    const failed = sources.filter(({ state }) => state === "failed");
    const { knowledge } = await api.get("/api/runtime/status");
    const { embeddings, unembedded, dimensions } = knowledge;
    const meaning = { isFailing: embeddings === "degraded", waiting: unembedded ?? 0, dimensions };
    const found = { total: stats.total ?? 0, pending, failed, meaning: embeddings === "off" ? undefined : meaning };
    for (const finding of knowledgeFindings(found)) report(finding);
  } catch (error) {
    if (!(error instanceof OperatorApiError) || error.status !== 503) throw error;
    const remedy = "agent-service logs has the reason; knowledge.db_path says where it lies";
    report({ state: "failure", about, text: `the store cannot be used: ${error.message}`, remedy });
  }
}

/** What to say of memories. */
export function knowledgeFindings({ total, pending, meaning, failed }: KnownMemory): readonly Finding[] {
  const text = `${total} ${total === 1 ? "memory" : "memories"}${pending === 0 ? "" : `, ${pending} wait for you`}`;
  return [
    { state: "ok", about, text },
    ...(meaning === undefined ? [] : [meaningFinding(meaning)]),
    ...failed.map(
      ({ id, title, error }): Finding => ({
        ...{ state: "warning", about, text: `${title} was not read: ${error ?? "the reason is not known"}` },
        remedy: `hand it over again; agent-service knowledge sources lists it as ${id}`,
      }),
    ),
  ];
}

function meaningFinding({ isFailing, waiting, dimensions }: Meaning): Finding {
  const left = waiting === 0 ? "" : `, ${waiting} without a vector yet`;
  if (isFailing)
    return {
      ...{ state: "warning", about, text: `the endpoint for embeddings fails, so that words alone count${left}` },
      remedy: "agent-service logs has the reason; knowledge.embed_model says which model is asked",
    };
  const text =
    dimensions === null
      ? `search by meaning is on, and its endpoint was not asked yet${left}`
      : `found by meaning too, with vectors of ${dimensions} numbers${left}`;
  return { state: "ok", about, text };
}

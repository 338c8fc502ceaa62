/** Checks of the store of memories, as the running service has it. */
import { OperatorApiError } from "@agent-service/operator-api/client";
import type { CommandContext } from "../command.ts";
import type { Finding, ReportFinding } from "../finding.ts";

const about = "memory";

/** What is looked at. */
export interface KnownMemory {
  readonly total: number;
  readonly pending: number;
  readonly failed: readonly { readonly id: number; readonly title: string; readonly error: string | null }[];
}

export async function checkKnowledge({ api }: Pick<CommandContext, "api">, report: ReportFinding): Promise<void> {
  try {
    const { stats, pending } = await api.get("/api/knowledge/search", { query: { k: 1 } });
    const { sources } = await api.get("/api/knowledge/sources", { query: { limit: 200 } });
    const failed = sources.filter(({ state }) => state === "failed");
    for (const finding of knowledgeFindings({ total: stats.total ?? 0, pending, failed })) report(finding);
  } catch (error) {
    if (!(error instanceof OperatorApiError) || error.status !== 503) throw error;
    const remedy = "agent-service logs has the reason; knowledge.db_path says where it lies";
    report({ state: "failure", about, text: `the store cannot be used: ${error.message}`, remedy });
  }
}

/** What to say of memories. */
export function knowledgeFindings({ total, pending, failed }: KnownMemory): readonly Finding[] {
  const text = `${total} ${total === 1 ? "memory" : "memories"}${pending === 0 ? "" : `, ${pending} wait for you`}`;
  return [
    { state: "ok", about, text },
    ...failed.map(
      ({ id, title, error }): Finding => ({
        ...{ state: "warning", about, text: `${title} was not read: ${error ?? "the reason is not known"}` },
        remedy: `hand it over again; agent-service knowledge sources lists it as ${id}`,
      }),
    ),
  ];
}

/** Always-on memory, and forgetting (K5, K12). */
import type { Chunk, OpenKnowledge, OperatorKnowledge } from "@agent-service/agent-core/host";
import { type MemoryInspectorService, Problem } from "@agent-service/operator-api";
import { chunkRows } from "./knowledge-service.ts";
import { refusing } from "./refusing.ts";

/** What forgetting leaves, for people. */
const KEPT = [
  "what you and the agent said in conversations, until they are deleted",
  "numbers of telemetry and lines of the audit log",
  "what providers of models keep",
];
const NOTHING = { chunks: 0, frames: 0, summaries: 0, sources: 0, attachments: 0, vectors: 0 };

export function memoryService(
  knowledge: Pick<OperatorKnowledge, "list" | "find" | "edit" | "remove" | "texts">,
  forgetting: Pick<OpenKnowledge["forgetting"], "count" | "forget" | "receipts">,
  commons: Pick<OpenKnowledge["commons"], "held" | "isOfCommons">,
  places: readonly string[],
): MemoryInspectorService {
  const { rows, one } = chunkRows(commons);
  const always = async (id: number): Promise<Chunk> => {
    const chunk = await knowledge.find(id);
    if (chunk?.policy !== "always")
      throw new Problem(404, "There is no such always-on memory; GET /api/memory/hot lists them.");
    return chunk;
  };
  return {
    forget: (which, dryRun) =>
      refusing(async () => {
        if (dryRun) return { receipt_id: null, counts: await forgetting.count(which), kept: KEPT };
        const receipt = await forgetting.forget(which);
        return { receipt_id: receipt?.id ?? null, counts: receipt?.counts ?? NOTHING, kept: KEPT };
      }),
    texts: (which) => refusing(async () => ({ texts: await knowledge.texts(which), places })),
    receipts: (limit, before) =>
      refusing(async () =>
        (await forgetting.receipts(limit, before)).map(({ id, scope, counts, begunAt, doneAt }) => ({
          ...{ id, scope, counts, begun_at: new Date(begunAt).toISOString(), at: new Date(doneAt).toISOString() },
        })),
      ),
    hot: (limit, before) => refusing(async () => rows(await knowledge.list({ policy: "always" }, limit, before))),
    editHot: (id, change) =>
      refusing(async () => {
        await always(id);
        return one(await knowledge.edit(id, { ...change, policy: "always" }));
      }),
    removeHot: (id) =>
      refusing(async () => {
        await always(id);
        await knowledge.remove(id);
      }),
  };
}

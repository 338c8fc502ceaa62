import type { EventBus } from "../bus/index.ts";
import type { NewMemory } from "./chunk.ts";

/** Characters of an always-on memory that are published with it. */
const PREVIEW_CHARS = 240;

/** Publishes that a memory was stored; one that is not accepted waits for a person. */
export function publishWritten(
  bus: EventBus,
  written: {
    readonly id: number;
    readonly memory: Pick<NewMemory, "policy" | "content" | "session" | "trust">;
    readonly isAccepted: boolean;
  },
): void {
  const { id, memory, isAccepted } = written;
  bus.publish("knowledge.changed", { id, action: "added" });
  if (!isAccepted) bus.publish("memory.review_requested", { id });
  else if (memory.policy === "always")
    bus.publish("memory.hot_written", {
      ...{ chunk_id: id, source: memory.session, source_type: memory.trust === "operator" ? "operator" : "tool" },
      preview: memory.content.slice(0, PREVIEW_CHARS).toWellFormed(),
    });
}

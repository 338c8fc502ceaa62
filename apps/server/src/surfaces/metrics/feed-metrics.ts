import type { CommittedEvent } from "@agent-service/agent-core/host";
import type { Metrics } from "./create-metrics.ts";

/** Metrics are read from the journal (R2): they count what was committed. */
export function feedMetrics(metrics: Metrics, events: readonly CommittedEvent[]): void {
  for (const { event } of events) {
    switch (event.kind) {
      case "model.finished":
        metrics.modelCall({
          model: event.model,
          finish: event.finish,
          ms: event.ms,
          usage: event.usage,
          costUsd: event.costUsd,
        });
        break;
      case "model.failed":
        metrics.modelCall({
          model: event.model,
          finish: "error",
          ms: event.ms,
          usage: event.usage,
          costUsd: event.costUsd,
        });
        break;
      case "tool.finished":
        metrics.toolCall({ name: event.name, ok: event.outcome === "ok", ms: event.ms });
        break;
      case "guard.noted":
        if (event.guard === "compaction") metrics.overflowRecovery();
        break;
      case "context.pruned":
        metrics.toolResultsPruned(event.results);
        break;
      case "context.compacted":
        metrics.compaction();
        break;
      case "task.parked":
        metrics.turn({ state: "input-required", ms: 0 });
        break;
      case "task.completed":
        metrics.turn({ state: "completed", ms: event.durationMs });
        break;
      case "task.failed":
        metrics.turn({ state: "failed", ms: event.durationMs });
        break;
      case "task.canceled":
        metrics.turn({ state: "canceled", ms: event.durationMs });
        break;
      default:
    }
  }
}

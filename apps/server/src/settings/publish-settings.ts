/** What the service itself publishes, beside its tasks (O7). */
import type { EventBus } from "@agent-service/agent-core/host";
import type { LiveSettings } from "./live-settings.ts";

/** Settings that decide which model answers, and how it is reached. */
const OF_MODELS = /^(?:model|providers|routing)(?:\.|$)/;

/** Publishes settings that take effect or are refused. Returns a function that ends it. */
export function publishSettings(live: Pick<LiveSettings, "subscribe">, bus: EventBus): () => void {
  return live.subscribe(
    ({ changed, repaired }) => {
      if (changed.length === 0 && !repaired) return;
      bus.publish("config.changed", { keys: changed });
      const keys = changed.filter((key) => OF_MODELS.test(key));
      if (keys.length > 0) bus.publish("model.changed", { keys });
    },
    ({ reason }) => bus.publish("config.rejected", { reason }),
  );
}

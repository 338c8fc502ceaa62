import { join } from "node:path";
import { observationStore } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { storeAddress } from "../../store/index.ts";

/** The configured store, or the one in the home where that cannot be opened (B60 `telemetry.db_path`). */
export const observation = defineServiceFeature({
  engine({ settings, logging }) {
    const { db_path: wanted } = settings.telemetry;
    const own = join(settings.paths.home, settings.instance.id, "telemetry.db");
    return observationStore({
      url: () => storeAddress(wanted),
      fallback(reason) {
        if (wanted === own) throw reason;
        const why = reason instanceof Error ? reason.message : String(reason);
        logging.logger.warn(`telemetry.db_path: ${why}; ${own} is used instead`);
        return `file:${own}`;
      },
    });
  },
});

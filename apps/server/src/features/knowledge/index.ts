import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { knowledge as agentKnowledge, isStoreServer } from "@agent-service/agent-core/host";
import { makeFolder } from "@agent-service/config";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { isOnlyUnwritable, storeAddress } from "../../store/index.ts";
import { knowledgeService } from "./knowledge-service.ts";

/** What the agent remembers: in the configured store, or in the one in the home where that cannot be written (K1). */
export const knowledge = defineServiceFeature({
  engine({ settings, logging }) {
    const { db_path: wanted } = settings.knowledge;
    const own = join(settings.paths.home, settings.instance.id, "knowledge", "agent.db");
    return agentKnowledge({
      url: () => storeAddress(wanted),
      fallback(reason) {
        if (wanted === own || !isOnlyUnwritable(wanted, reason)) throw reason;
        const why = reason instanceof Error ? reason.message : String(reason);
        logging.logger.warn(`knowledge.db_path: ${why}; ${own} is used instead`);
        makeFolder(dirname(own));
        return `file:${own}`;
      },
      exists: () => isStoreServer(wanted) || (wanted !== "" && existsSync(wanted)) || existsSync(own),
    });
  },
  services: ({ operations }) => ({ knowledge: knowledgeService(operations) }),
  flags: () => ({ knowledge: true }),
});

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { skills as agentSkills, isStoreServer } from "@agent-service/agent-core/host";
import { expandHome, makeFolder, readMapping } from "@agent-service/config";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { isOnlyUnwritable, storeAddress } from "../../store/index.ts";

/** Skills: those that ship, and the operator's in `skills.dir` or beside the configuration (K27); versions by K1. */
export const skills = defineServiceFeature({
  engine({ settings, logging }) {
    const { db_path: wanted } = settings.skills;
    const own = join(settings.paths.home, settings.instance.id, "skills", "skills.db");
    return agentSkills({
      readYaml: readMapping,
      makeFolder,
      folder: () =>
        settings.skills.dir === ""
          ? join(settings.paths.configDir, "skills")
          : resolve(settings.paths.configDir, expandHome(settings.skills.dir)),
      url: () => storeAddress(wanted),
      fallback(reason) {
        if (wanted === own || !isOnlyUnwritable(wanted, reason)) throw reason;
        const why = reason instanceof Error ? reason.message : String(reason);
        logging.logger.warn(`skills.db_path: ${why}; ${own} is used instead`);
        makeFolder(dirname(own));
        return `file:${own}`;
      },
      exists: () => isStoreServer(wanted) || (wanted !== "" && existsSync(wanted)) || existsSync(own),
    });
  },
});

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { skills as agentSkills, isStoreServer } from "@agent-service/agent-core/host";
import { makeFolder, readMapping } from "@agent-service/config";
import { Problem } from "@agent-service/operator-api";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { isOnlyUnwritable, storeAddress } from "../../store/index.ts";
import { commonsFolder, skillsFolder } from "./skill-folders.ts";
import { skillsService } from "./skills-service.ts";
import { soulService } from "./soul-service.ts";

/** Skills: those that ship, the operator's, and those of the commons (K26, K27); versions by K1. */
export const skills = defineServiceFeature({
  engine({ settings, logging, personaFile }) {
    const { db_path: wanted } = settings.skills;
    const own = join(settings.paths.home, settings.instance.id, "skills", "skills.db");
    return agentSkills({
      ...{ readYaml: readMapping, makeFolder },
      persona: {
        text: () => personaFile.text(),
        subscribe: (listener) => personaFile.subscribe(listener),
        write(text) {
          if (settings.setup.managed)
            throw new Problem(409, "The configuration folder cannot be written: its owner manages it elsewhere.");
          personaFile.write(text);
        },
      },
      folder: () => skillsFolder(settings),
      commons: () => commonsFolder(settings),
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
  services: (opened, { settings, redact }) => ({
    skills: skillsService(opened, { enabled: () => settings.skills.enabled, redact }),
    soul: soulService(opened.history, redact),
  }),
  flags: ({ settings }) => ({ skills: settings.skills.enabled }),
});

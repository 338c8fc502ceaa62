import { join, resolve } from "node:path";
import { skills as agentSkills } from "@agent-service/agent-core/host";
import { expandHome, readMapping } from "@agent-service/config";
import { defineServiceFeature } from "../../service-feature/index.ts";

/** Skills: those that ship, and the operator's in `skills.dir` or beside the configuration (K27). */
export const skills = defineServiceFeature({
  engine: ({ settings }) =>
    agentSkills({
      readYaml: readMapping,
      folder: () =>
        settings.skills.dir === ""
          ? join(settings.paths.configDir, "skills")
          : resolve(settings.paths.configDir, expandHome(settings.skills.dir)),
    }),
});

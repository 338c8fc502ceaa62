import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { memory as agentMemory } from "@agent-service/agent-core/host";
import { makeFolder } from "@agent-service/config";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { sessionMemoryService } from "./session-memory-service.ts";

/** Summaries of conversations in the folder of `MEMORY_PATH` (K15), and lines of them for new ones (K16). */
export const memory = defineServiceFeature({
  engine({ settings }) {
    const { folder, index } = settings.summaries;
    return agentMemory({
      folder: () => folder,
      makeFolder,
      url() {
        makeFolder(dirname(index));
        return `file:${index}`;
      },
      exists: () => existsSync(index),
      disabled: settings.environment.memoryDisabled,
    });
  },
  services: ({ summaries, digest }) => ({ memory: sessionMemoryService(summaries, digest) }),
  flags: () => ({ memory: true }),
});

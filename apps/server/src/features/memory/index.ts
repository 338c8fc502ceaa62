import { existsSync } from "node:fs";
import { dirname } from "node:path";
import {
  memory as agentMemory,
  type Sessions,
  servingConnection,
  sessions,
  UnknownSessionError,
} from "@agent-service/agent-core/host";
import { makeFolder } from "@agent-service/config";
import { Problem } from "@agent-service/operator-api";
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
  services: ({ summaries, digest, harvests, harvestChoice }, { opened, settings }) => ({
    memory: sessionMemoryService(summaries, digest, {
      async harvest(session) {
        await known(opened(sessions).catalog, session);
        return harvests.harvest(session);
      },
      harvesting() {
        const choice = harvestChoice();
        const { connections, lead } = settings.models;
        const serving = choice && servingConnection(connections, lead);
        return serving && { model: `${serving.connection.id}:${serving.name}`, cost_usd: choice?.cost ?? null };
      },
    }),
  }),
  flags: () => ({ memory: true }),
});

/** @throws Problem 404 */
async function known(catalog: Pick<Sessions, "read">, session: string): Promise<void> {
  try {
    await catalog.read(session);
  } catch (error) {
    if (error instanceof UnknownSessionError) throw new Problem(404, "There is no such conversation.");
    throw error;
  }
}

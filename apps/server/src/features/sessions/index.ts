import {
  sessions as agentSessions,
  featureKey,
  fileChanges,
  MemoryError,
  type OpenMemory,
} from "@agent-service/agent-core/host";
import { Problem } from "@agent-service/operator-api";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { sessionEditsService } from "./session-edits-service.ts";
import { sessionsService } from "./sessions-service.ts";

const memory = featureKey<"memory", OpenMemory>("memory");

export const sessions = defineServiceFeature({
  engine: () => agentSessions,
  services(sessions, { models, opened, redact }) {
    const { changes } = opened(fileChanges);
    const undoTurns = async (tasks: readonly string[]) => {
      const { files } = await changes.undo({ tasks }, { preview: false });
      return files.map((file) => ({ ...file, path: redact(file.path) }));
    };
    const harvest = async (session: string): Promise<boolean> => {
      try {
        return await opened(memory).harvests.harvest(session);
      } catch (error) {
        if (!(error instanceof MemoryError)) throw error;
        throw new Problem(502, `Nothing was deleted: ${error.message}.`, { cause: error });
      }
    };
    return {
      sessions: sessionsService(sessions.catalog, models.windowOf),
      sessionEdits: sessionEditsService({
        ...{ sessions, undoTurns, harvest },
        checkModel: (value) => void models.choose(value),
      }),
    };
  },
  flags: () => ({ sessions: true }),
});

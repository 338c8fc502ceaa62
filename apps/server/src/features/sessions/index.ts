import {
  sessions as agentSessions,
  featureKey,
  fileChanges,
  MemoryError,
  type OpenKnowledge,
  type OpenMemory,
} from "@agent-service/agent-core/host";
import { Problem } from "@agent-service/operator-api";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { sessionEditsService } from "./session-edits-service.ts";
import { sessionsService } from "./sessions-service.ts";

const memory = featureKey<"memory", OpenMemory>("memory");
const knowledge = featureKey<"knowledge", OpenKnowledge>("knowledge");
const skills = featureKey<"skills", { writtenIn(session: string): Promise<readonly string[]> }>("skills");

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
    // A store that cannot be opened keeps no session from being deleted.
    const staying = async (session: string, forgets: boolean) => ({
      skills: await opened(skills)
        .writtenIn(session)
        .catch(() => []),
      facts: await opened(knowledge)
        .operations.saidIn(session, { shared: forgets })
        .catch(() => null),
    });
    return {
      sessions: sessionsService(sessions.catalog, models.windowOf),
      sessionEdits: sessionEditsService({
        ...{ sessions, undoTurns, harvest, staying },
        checkModel: (value) => void models.choose(value),
      }),
    };
  },
  flags: () => ({ sessions: true }),
});

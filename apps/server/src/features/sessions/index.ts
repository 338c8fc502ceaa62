import { sessions as agentSessions, fileChanges } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { sessionEditsService } from "./session-edits-service.ts";
import { sessionsService } from "./sessions-service.ts";

export const sessions = defineServiceFeature({
  engine: () => agentSessions,
  services(sessions, { models, opened, redact }) {
    const { changes } = opened(fileChanges);
    const undoTurns = async (tasks: readonly string[]) => {
      const { files } = await changes.undo({ tasks }, { preview: false });
      return files.map((file) => ({ ...file, path: redact(file.path) }));
    };
    return {
      sessions: sessionsService(sessions.catalog, models.windowOf),
      sessionEdits: sessionEditsService({
        ...{ sessions, undoTurns },
        checkModel: (value) => void models.choose(value),
      }),
    };
  },
  flags: () => ({ sessions: true }),
});

import { sessions as agentSessions, featureKey, fileChanges, type OpenKnowledge } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { sessionEditsService } from "./session-edits-service.ts";
import { sessionsService } from "./sessions-service.ts";

const knowledge = featureKey<"knowledge", OpenKnowledge>("knowledge");

export const sessions = defineServiceFeature({
  engine: () => agentSessions,
  services(sessions, { models, opened, redact }) {
    const { changes } = opened(fileChanges);
    const undoTurns = async (tasks: readonly string[]) => {
      const { files } = await changes.undo({ tasks }, { preview: false });
      return files.map((file) => ({ ...file, path: redact(file.path) }));
    };
    const forgetSession = async (session: string) => {
      const receipt = await opened(knowledge).forgetting.forget({ kind: "session", session });
      const { chunks = 0, frames = 0, summaries = 0, sources = 0, attachments = 0 } = receipt?.counts ?? {};
      return { chunks, frames, summaries, sources, attachments };
    };
    return {
      sessions: sessionsService(sessions.catalog, models.windowOf),
      sessionEdits: sessionEditsService({
        ...{ sessions, undoTurns, forgetSession },
        checkModel: (value) => void models.choose(value),
      }),
    };
  },
  flags: () => ({ sessions: true }),
});

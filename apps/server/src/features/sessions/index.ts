import { sessions as agentSessions } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { sessionEditsService } from "./session-edits-service.ts";
import { sessionsService } from "./sessions-service.ts";

export const sessions = defineServiceFeature({
  engine: () => agentSessions,
  services: (sessions, { models }) => ({
    sessions: sessionsService(sessions.catalog, models.windowOf),
    sessionEdits: sessionEditsService({ sessions, checkModel: (value) => void models.choose(value) }),
  }),
  flags: () => ({ sessions: true }),
});

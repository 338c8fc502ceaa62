import { sessions as agentSessions } from "@agent-service/agent-core";
import { sessionEditsService, sessionsService } from "../../operator/index.ts";
import { defineServiceFeature } from "../../service-feature/index.ts";

export const sessions = defineServiceFeature({
  engine: () => agentSessions,
  services: (sessions, { models }) => ({
    sessions: sessionsService(sessions.catalog, models.windowOf),
    sessionEdits: sessionEditsService({ sessions, checkModel: (value) => void models.choose(value) }),
  }),
  flags: () => ({ sessions: true }),
});

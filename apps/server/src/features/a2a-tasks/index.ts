import { turnTelemetry } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { a2aTasksService } from "./a2a-tasks-service.ts";

/** The tasks of every class and origin, as operators read them. */
export const a2aTasks = defineServiceFeature({
  services: (_, { core, redact, opened }) => ({ a2aTasks: a2aTasksService(core, opened(turnTelemetry), redact) }),
});

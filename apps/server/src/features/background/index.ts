import { background as backgroundJobs } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { backgroundService } from "./background-service.ts";

export const background = defineServiceFeature({
  engine: () => backgroundJobs,
  services: (jobs, { core, settings, redact }) => ({
    background: backgroundService({ jobs, bus: core.bus, agentName: settings.environment.agentName, redact }),
  }),
  flags: () => ({ background: true }),
});

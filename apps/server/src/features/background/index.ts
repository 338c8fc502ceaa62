import { background as backgroundJobs } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { backgroundService } from "./background-service.ts";

export const background = defineServiceFeature({
  engine: () => backgroundJobs,
  services: (jobs, { core, settings, redact }) => ({
    background: backgroundService({
      jobs,
      waits: async (task) => (await core.approvals.list(1, undefined, { task })).length > 0,
      bus: core.bus,
      agentName: settings.environment.agentName,
      redact,
    }),
  }),
  flags: () => ({ background: true }),
});

import { delegation as agentDelegation, sessions } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { delegationsService, subagentsService } from "./subagents-service.ts";

export const delegation = defineServiceFeature({
  engine: () => agentDelegation,
  services: (delegations, { settings, logging, opened }) => ({
    subagents: subagentsService({ delegations, settings: () => settings.subagents, log: logging.logger }),
    delegations: delegationsService({ delegations, sessions: opened(sessions).catalog }),
  }),
  flags: () => ({ subagents: true }),
});

import { delegation as agentDelegation, sessions } from "@agent-service/agent-core";
import { delegationsService, subagentsService } from "../../operator/index.ts";
import { defineServiceFeature } from "../../service-feature/index.ts";

export const delegation = defineServiceFeature({
  engine: () => agentDelegation,
  services: (delegations, { settings, logging, opened }) => ({
    subagents: subagentsService({ delegations, settings: () => settings.subagents, log: logging.logger }),
    delegations: delegationsService({ delegations, sessions: opened(sessions).catalog }),
  }),
  flags: () => ({ subagents: true }),
});

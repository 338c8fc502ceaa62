import { inbox as agentInbox } from "@agent-service/agent-core";
import { inboxService } from "../../operator/index.ts";
import { defineServiceFeature } from "../../service-feature/index.ts";

export const inbox = defineServiceFeature({
  engine: () => agentInbox,
  services: (inbox, { redact }) => ({ inbox: inboxService(inbox, redact) }),
  flags: () => ({ inbox: true }),
});

import { inbox as agentInbox } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { inboxService } from "./inbox-service.ts";

export const inbox = defineServiceFeature({
  engine: () => agentInbox,
  services: (inbox, { redact }) => ({ inbox: inboxService(inbox, redact) }),
  flags: () => ({ inbox: true }),
});

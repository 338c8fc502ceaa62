import { join } from "node:path";
import { audit as agentAudit } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";

export const audit = defineServiceFeature({
  engine: ({ settings }) =>
    agentAudit({ path: join(settings.paths.home, settings.instance.id, "logs", "audit.jsonl") }),
  flags: ({ settings }) => ({ audit: settings.middleware.audit }),
});

import { join } from "node:path";
import { audit as agentAudit } from "@agent-service/agent-core/host";
import { makeFolder } from "@agent-service/config";
import { defineServiceFeature } from "../../service-feature/index.ts";

export const audit = defineServiceFeature({
  engine: ({ settings }) =>
    agentAudit({ path: join(settings.paths.home, settings.instance.id, "logs", "audit.jsonl"), makeFolder }),
  flags: ({ settings }) => ({ audit: settings.middleware.audit }),
});

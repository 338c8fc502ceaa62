import { tracing as agentTracing } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";

export const tracing = defineServiceFeature({
  engine: ({ settings, version }) =>
    agentTracing({ agent: settings.environment.agentName, version, environment: () => settings.environment.tracing }),
  flags: ({ settings }) => ({ tracing: settings.tracing.enabled }),
});

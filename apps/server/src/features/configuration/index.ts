import { defineTools } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { createSettingsSaver } from "../../settings/index.ts";
import { agentConfigTools } from "./agent-config-tools.ts";
import { configurationServices } from "./configuration-services.ts";

export const configuration = defineServiceFeature({
  engine: ({ live }) => defineTools("configuration", () => agentConfigTools(live, createSettingsSaver(live))),
  services: (_, { live, models, personaFile, secrets }) =>
    configurationServices(live, models, personaFile, () => secrets.manager.status().vars),
  flags: () => ({ settings: true, setup: true }),
});

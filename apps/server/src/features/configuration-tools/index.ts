import { defineTools } from "@agent-service/agent-core";
import { agentConfigTools, createSettingsSaver } from "../../configuration/index.ts";
import { defineServiceFeature } from "../../service-feature/index.ts";

export const configurationTools = defineServiceFeature({
  engine: ({ live }) => defineTools("configuration", () => agentConfigTools(live, createSettingsSaver(live))),
});

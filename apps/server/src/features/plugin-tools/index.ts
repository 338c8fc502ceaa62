import { defineTools } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";

/** Tools that whoever composes the service hands it. */
export const pluginTools = defineServiceFeature({
  engine: ({ tools }) => defineTools("plugin", () => tools, { source: "plugin" }),
});

import { defineTools } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";

/** Tools that the composing program passes to the service. */
export const pluginTools = defineServiceFeature({
  engine: ({ tools }) => defineTools("plugin", () => tools, { source: "plugin" }),
});

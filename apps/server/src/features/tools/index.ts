import { sessions } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { toolCaller } from "./call-tool.ts";
import { toolsInventory } from "./tools-service.ts";

export { toolCaller };

export const tools = defineServiceFeature({
  services: (_, { core, settings, clock, opened }) => ({
    tools: {
      ...toolsInventory({ core, settings }),
      call: toolCaller({
        calls: core.directCalls,
        tasks: core.service,
        sessions: opened(sessions).catalog,
        clock,
      }),
    },
  }),
});

import { sessions } from "@agent-service/agent-core/host";
import { toolCaller } from "../../direct-calls/index.ts";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { toolsInventory } from "./tools-service.ts";

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

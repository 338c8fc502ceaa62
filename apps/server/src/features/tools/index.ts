import { defineServiceFeature } from "../../service-feature/index.ts";
import { toolsService } from "./tools-service.ts";

export const tools = defineServiceFeature({
  services: (_, { core, settings }) => ({ tools: toolsService({ core, settings }) }),
});

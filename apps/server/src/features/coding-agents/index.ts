import { defineServiceFeature } from "../../service-feature/index.ts";
import { codingAgents as installedAgents } from "./coding-agents.ts";

export const codingAgents = defineServiceFeature({
  services: () => ({ codingAgents: installedAgents(() => process.env.PATH) }),
});

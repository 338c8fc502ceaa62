import { documentTools as agentDocumentTools } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";

export const documentTools = defineServiceFeature({ engine: () => agentDocumentTools });

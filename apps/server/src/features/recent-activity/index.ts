import { recentActivity as tool } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";

/** What the agent did lately, for itself. */
export const recentActivity = defineServiceFeature({ engine: () => tool });

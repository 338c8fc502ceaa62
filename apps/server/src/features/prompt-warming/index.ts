import { promptWarming as heartbeat } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";

export const promptWarming = defineServiceFeature({ engine: () => heartbeat });

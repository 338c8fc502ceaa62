import { waiting as waits } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";

export const waiting = defineServiceFeature({ engine: () => waits });

import { filesystem as filesystemTools } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { liveFence } from "./live-fence.ts";

export const filesystem = defineServiceFeature({
  engine: (host) => filesystemTools({ fence: liveFence(host) }),
});

import { activity as activityFeed } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { activityService } from "./activity-service.ts";

export const activity = defineServiceFeature({
  engine: () => activityFeed,
  services: (feed, { redact }) => ({ activity: activityService(feed, redact) }),
  flags: () => ({ activity: true }),
});

import { activity as activityFeed } from "@agent-service/agent-core";
import { activityService } from "../../operator/index.ts";
import { defineServiceFeature } from "../../service-feature/index.ts";

export const activity = defineServiceFeature({
  engine: () => activityFeed,
  services: (feed, { redact }) => ({ activity: activityService(feed, redact) }),
  flags: () => ({ activity: true }),
});

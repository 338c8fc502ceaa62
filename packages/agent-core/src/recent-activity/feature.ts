import { activity } from "../activity/index.ts";
import { defineFeature } from "../feature/index.ts";
import { turnTelemetry } from "../telemetry/index.ts";
import { recentActivityTool } from "./recent-activity-tool.ts";

/** The tool `recent_activity`. */
export const recentActivity = defineFeature({
  name: "recent-activity",
  category: "memory",
  needs: [activity, turnTelemetry],
  open: (_, { needs: { activity: feed, telemetry } }) => ({
    tool: recentActivityTool({ feed, reports: telemetry.enabled ? telemetry.reports : undefined }),
  }),
  tools: ({ tool }) => [tool],
});

import { activity } from "../activity/index.ts";
import { defineFeature } from "../feature/index.ts";
import { turnTelemetry } from "../telemetry/index.ts";
import { failuresByTool } from "./failures-by-tool.ts";
import { recentActivityTool } from "./recent-activity-tool.ts";

/** The tool `recent_activity`. */
export const recentActivity = defineFeature({
  name: "recent-activity",
  category: "memory",
  needs: [activity, turnTelemetry],
  open: ({ db }, { needs: { activity: feed, telemetry } }) => ({
    tool: recentActivityTool({
      ...{ feed, reports: telemetry.enabled ? telemetry.reports : undefined },
      failures: (since) => failuresByTool(db, since),
    }),
  }),
  tools: ({ tool }) => [tool],
});

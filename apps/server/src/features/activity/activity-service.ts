import { ACTIVITY_CONTEXT, type ActivityFeed } from "@agent-service/agent-core/host";
import type { ActivityService } from "@agent-service/operator-api";

/** The activity feed, for the operator API. `redact` takes secrets out of a text (S5). */
export function activityService(feed: ActivityFeed, redact: (text: string) => string): ActivityService {
  return {
    contextId: ACTIVITY_CONTEXT,
    async list(limit, before) {
      const entries = await feed.list(limit, before);
      return entries.map((entry) => ({
        id: entry.task,
        created_at: new Date(entry.createdAt).toISOString(),
        context_id: entry.context,
        origin: entry.origin,
        trigger: entry.trigger ?? null,
        priority: entry.priority ?? null,
        state: entry.state,
        text: redact(entry.text),
        task_id: entry.task,
        stimulus: redact(entry.stimulus),
      }));
    },
  };
}

import { defineResource } from "../resource/index.ts";
import { activityRoutes, listActivity } from "./routes.ts";

/** What the agent did by itself. */
export const activity = defineResource({
  name: "activity",
  feature: "activity",
  definitions: [listActivity],
  topics: [
    {
      topic: "activity.message",
      when: "A turn of the activity feed got a message, waits for a person, or ended",
      data: "`id`, `task_id`, `context_id`, `origin`, `trigger`, `priority`, `state`, `role`, `text`, `error`",
    },
  ],
  routes: activityRoutes,
});

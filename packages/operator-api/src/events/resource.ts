import { defineResource } from "../resource/index.ts";
import { eventsRoutes, followEvents, publishEvent } from "./routes.ts";

/** The stream of what changes. */
export const events = defineResource({
  name: "events",
  feature: "events",
  definitions: [followEvents, publishEvent],
  topics: [
    {
      topic: "stream.gap",
      when: "What lay between your cursor and now is not kept any more: read again what you show",
      data: "`reason`: `restarted`, `expired` or `unknown`",
    },
  ],
  routes: eventsRoutes,
});

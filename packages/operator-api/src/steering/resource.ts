import { defineResource } from "../resource/index.ts";
import { addSteer, listSteers, removeSteer, steeringRoutes } from "./routes.ts";

/** Messages to a session while it works. */
export const steering = defineResource({
  name: "steering",
  feature: "sessions",
  definitions: [addSteer, listSteers, removeSteer],
  topics: [{ topic: "steer.changed", when: "What waits to steer a session changed", data: "`session_id`, `pending`" }],
  routes: steeringRoutes,
});

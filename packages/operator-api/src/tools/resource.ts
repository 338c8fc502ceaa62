import { defineResource } from "../resource/index.ts";
import { listTools, toolsRoutes } from "./routes.ts";

/** The tools of the agent. */
export const tools = defineResource({
  name: "tools",
  definitions: [listTools],
  routes: toolsRoutes,
});

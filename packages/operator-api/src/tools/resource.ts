import { defineResource } from "../resource/index.ts";
import { listTools, toolsRoutes } from "./routes.ts";

export const tools = defineResource({
  name: "tools",
  definitions: [listTools],
  routes: toolsRoutes,
});

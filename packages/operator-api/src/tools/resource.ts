import { defineResource } from "../resource/index.ts";
import { callTool, listTools, toolsRoutes } from "./routes.ts";

export const tools = defineResource({
  name: "tools",
  definitions: [listTools, callTool],
  routes: toolsRoutes,
});

export { listTools, type ToolsService, toolsRoutes } from "./routes.ts";

export { tools } from "./resource.ts";
export type { ToolsService } from "./routes.ts";

export { mcp } from "./resource.ts";
export type { McpServerBody, McpServerChange, McpServerPage, McpServerRow, McpService } from "./routes.ts";

export { definitionNames } from "./definition-names.ts";
export { type InputOf, McpTools, type ToolCalls, type ToolParts } from "./mcp-tool.ts";
export { type PinnedServer, type ToolRow, toolRows } from "./tool-rows.ts";

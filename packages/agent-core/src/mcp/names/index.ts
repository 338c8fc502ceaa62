export { type ServerTool, toolNames } from "./tool-names.ts";
export { configuredEffect, type ToolSelection, toolFilter } from "./tool-selection.ts";

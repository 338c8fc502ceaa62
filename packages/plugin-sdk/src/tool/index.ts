export type { FormStep, Park, ParkAnswer, ParkRequest } from "./park.ts";
export { park } from "./park.ts";
export type {
  AnyTool,
  ApprovalRequest,
  ComponentOutput,
  Effect,
  ToolCaller,
  ToolContext,
  ToolDefinition,
  ToolLog,
  ToolOutput,
  ToolResult,
} from "./tool.ts";
export { defineTool, toolResult } from "./tool.ts";

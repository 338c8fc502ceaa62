export { isAvailableTo, type ToolUser } from "./audience.ts";
export { CallNoteError, callNoteJson, keepNothing, MAX_CALL_NOTE_BYTES } from "./call-note.ts";
export { isOutcomeUnknown, OutcomeUnknownError } from "./outcome-unknown-error.ts";
export type { ApprovalPark, FormStep, Park, ParkAnswer, ParkRequest } from "./park.ts";
export { park } from "./park.ts";
export type { PresentCall, TemplateValues, ToolPresentation } from "./present.ts";
export { checkPresentation, compilePresentation, presentCall, renderTemplate, TemplateError } from "./present.ts";
export type { KnownPreview, ToolPreview } from "./preview.ts";
export type {
  AnyTool,
  ApprovalRequest,
  ComponentOutput,
  Effect,
  InnerCalls,
  InnerOutcome,
  ToolAudience,
  ToolCaller,
  ToolContent,
  ToolContext,
  ToolDefinition,
  ToolImage,
  ToolLog,
  ToolOutput,
  ToolResult,
} from "./tool.ts";
export { defineTool, toolResult } from "./tool.ts";

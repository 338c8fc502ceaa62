export type { ClippedResult } from "./clip-result.ts";
export { COMPONENT_CHARS, clipResult, RESULT_CHARS } from "./clip-result.ts";
export { cleanHead, clipText } from "./clip-text.ts";
export type { Enforcement, EnforcementSettings } from "./enforcement.ts";
export { enforcementOf } from "./enforcement.ts";
export { type EnforcementSectionValue, enforcementSection } from "./enforcement-section.ts";
export { nameMatcher } from "./name-patterns.ts";
export type { ArgumentPlace, ParsedArguments } from "./parse-arguments.ts";
export { callDigest, parseArguments } from "./parse-arguments.ts";
export { type LiveTools, type ToolContribution, ToolRegistrationError, type ToolSource } from "./prepared-tools.ts";
export type { ResultImage } from "./result-images.ts";
export type { ReconcileVerdict, ToolCall, ToolRun } from "./run-tool.ts";
export { DEFAULT_TOOL_TIMEOUT_MS, previewCall, reconcileCall, runTool, textWithoutImages } from "./run-tool.ts";
export { ALWAYS_SHOWN, namesFound, searchTools } from "./search-tools.ts";
export { toModelTool } from "./tool-schema.ts";
export type { ShownTools, Toolbox, ToolboxOptions, ToolPolicy } from "./toolbox.ts";
export {
  createToolbox,
  narrowToolbox,
  SEARCH_TOOLS,
  type SealableToolbox,
  sealableToolbox,
  toolsChars,
} from "./toolbox.ts";
export { type ToolsSectionValue, toolsSection } from "./tools-section.ts";

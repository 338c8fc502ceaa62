export {
  type Definition,
  type DefinitionKind,
  definitionDigest,
  type PromptArgument,
  type PromptDefinition,
  type TaskSupport,
  type ToolDefinition,
  type ToolHints,
} from "./definition.ts";
export { type DefinitionDifference, definitionDifference } from "./definition-difference.ts";
export { DefinitionPins, type Observation, type ObservationResult, targetDigest } from "./definition-pins.ts";
export { type TextPiece, textPieces, withoutInvisible, withoutInvisibleIn } from "./invisible-text.ts";
export type { DefinitionDecision } from "./observe.ts";
export {
  type DefinitionState,
  isRejected,
  isWaiting,
  offered,
  offeredTool,
  type PinnedDefinition,
} from "./pinned-definition.ts";
export { MAX_DEFINITIONS, MAX_SCHEMA_BYTES, type ReadDefinitions, readDefinitions } from "./read-definitions.ts";
export { readShown } from "./redact-definition.ts";
export { isResourceTool, LIST_RESOURCES, MAX_ADDRESS_CHARS, READ_RESOURCE } from "./resource-tools.ts";
export { asksBefore, toolEffect } from "./tool-effect.ts";

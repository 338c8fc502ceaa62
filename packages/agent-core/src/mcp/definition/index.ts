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
export {
  type DefinitionState,
  isRejected,
  isWaiting,
  offered,
  offeredTool,
  type PinnedDefinition,
} from "./pinned-definition.ts";

export type { ModelErrorCode } from "./model-error.ts";
export { ModelError } from "./model-error.ts";
export type {
  FinishReason,
  Model,
  ModelCallOptions,
  ModelContent,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  ModelSettings,
  ModelTool,
  ModelToolCall,
  ModelUsage,
} from "./model-port.ts";

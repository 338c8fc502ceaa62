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
export { CONNECTION_TYPES, type ModelSectionValue, modelSection } from "./model-section.ts";
export { type ProvidersSectionValue, providersSection } from "./providers-section.ts";
export {
  type ConnectionRegistry,
  DEFAULT_GATEWAY_URL,
  type DeclaredConnection,
  leadWithScripted,
  type ResolvedConnection,
  resolveConnections,
  type SubscriptionCredential,
} from "./resolve-connections.ts";

export type { ChatCompletionsOptions, EffortSupport, ImageSupport, ModelChoice, ModelUse } from "./chat-completions.ts";
export { chatCompletions } from "./chat-completions.ts";
export type { AnswerBounds, CompatGateway, CompatGatewayOptions } from "./compat-gateway/index.ts";
export { compatGateway } from "./compat-gateway/index.ts";
export {
  HARVEST_INSTRUCTIONS,
  type HarvestedMessage,
  type HarvestQuestion,
  harvestedIn,
  harvestQuestion,
  harvestRequest,
} from "./harvest-request.ts";
export { JUDGE_INSTRUCTIONS, JUDGE_SCHEMA, type JudgedCall, judgeRequest } from "./judge-request.ts";
export type { LaneSettings, LaneSnapshot } from "./lane.ts";
export type { ModelConfigErrorCode } from "./model-config-error.ts";
export { isModelUnavailable, ModelConfigError } from "./model-config-error.ts";
export type { ModelErrorCode } from "./model-error.ts";
export { ModelError } from "./model-error.ts";
export type { ModelLanes, ModelLanesSnapshot } from "./model-lanes.ts";
export { createModelLanes } from "./model-lanes.ts";
export type {
  CacheTtl,
  FinishReason,
  Model,
  ModelCallOptions,
  ModelContent,
  ModelEvent,
  ModelMessage,
  ModelPriority,
  ModelRequest,
  ModelSettings,
  ModelTool,
  ModelToolCall,
  ModelUsage,
  ReasoningEffort,
  WrittenConversation,
} from "./model-port.ts";
export { REASONING_EFFORTS } from "./model-port.ts";
export type { KnownPrice, ModelPrice } from "./model-price.ts";
export { costsNothing, estimateCost } from "./model-price.ts";
export type { ModelConnection, ModelRouter, ModelRouterOptions, ResolvedModel } from "./model-router.ts";
export { createModelRouter } from "./model-router.ts";
export {
  apiKeySchema,
  baseUrlSchema,
  CONNECTION_TYPES,
  type ModelSectionValue,
  modelSection,
} from "./model-section.ts";
export { addModelUsage, NO_MODEL_USAGE, sumModelUsage } from "./model-usage.ts";
export type { OutputVersion, SubscriptionTokens, TokenSourceOptions } from "./oauth-subscription/index.ts";
export { TokenSource } from "./oauth-subscription/index.ts";
export type {
  FindLocalModelsOptions,
  GatewayFactsOptions,
  ListedModel,
  ListModelsOptions,
  LocalModelServer,
  ModelTrial,
  TrialOutcome,
  TryModelOptions,
} from "./probe/index.ts";
export { findLocalModels, GatewayFacts, listModels, tryModel } from "./probe/index.ts";
export {
  createPromptCache,
  type PromptCache,
  type PromptCacheOptions,
  type PromptCacheSettings,
} from "./prompt-cache.ts";
export { type PromptCacheSectionValue, promptCacheSection } from "./prompt-cache-section.ts";
export { type ProvidersSectionValue, providersSection, SUBSCRIPTION_FIELDS } from "./providers-section.ts";
export {
  type ConnectionRegistry,
  DEFAULT_GATEWAY_URL,
  type DeclaredConnection,
  leadWithScripted,
  type ResolvedConnection,
  resolveConnections,
  type SubscriptionCredential,
} from "./resolve-connections.ts";
export type { RetryOptions } from "./retry.ts";
export { withRetry } from "./retry.ts";
export { type RoutingSectionValue, routingSection } from "./routing-section.ts";
export { SCRIPT_COMMANDS, scripted } from "./scripted/index.ts";
export { servingConnection } from "./serving-connection.ts";
export { type PublishedModel, type ShippedModels, shippedModels } from "./shipped-models.ts";
export { askedIn, TITLE_INSTRUCTIONS, titleRequest } from "./title-request.ts";

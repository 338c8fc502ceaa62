/**
 * The A2A protocol as data: the 1.0-shaped model, stream frames, errors, cards and the server-sent event codec. The
 * server handler is `@agent-service/a2a-protocol/server`, the client `@agent-service/a2a-protocol/client`, the receiving
 * end of a webhook `@agent-service/a2a-protocol/receiver`.
 */
export {
  type AgentCapabilities,
  type AgentCard,
  type AgentCardInput,
  type AgentExtension,
  type AgentInterface,
  type AgentProvider,
  type AgentSkill,
  type AgentSkillInput,
  CARD_PATHS,
  type CardResponseOptions,
  cardFor,
  cardResponse,
  hybridCard,
  type SecurityScheme,
  V1_CARD_PATH,
  type V1AgentCard,
  type V1SecurityScheme,
  v1Card,
} from "./agent-card/index.ts";
export * from "./error/index.ts";
export * from "./message/index.ts";
export type { InlinePushConfig, PushAuthentication, PushNotificationConfig } from "./push/index.ts";
export { MAX_PUSH_CONFIGS } from "./push/index.ts";
export {
  applyFrame,
  createSseParser,
  encodeJsonEvent,
  encodeSseEvent,
  type NumberedFrame,
  recentlyMade,
  runtimeTimers,
  SSE_KEEP_ALIVE,
  type SseEvent,
  type SseEventInput,
  SseLimitError,
  type SseParser,
  type SseParserOptions,
  type StreamResponse,
  type TaskArtifactUpdateEvent,
  type TaskStatusUpdateEvent,
  type Timers,
  within,
} from "./stream/index.ts";
export * from "./task/index.ts";
export { COST_EXTENSION } from "./v0-3/index.ts";

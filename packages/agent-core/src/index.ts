export type { AnyTool, ToolDefinition } from "@agent-service/plugin-sdk";
export * from "./activity/index.ts";
export type { AgentCoreOptions } from "./agent-core-options.ts";
export * from "./approval/index.ts";
export * from "./audit/index.ts";
export * from "./background/index.ts";
export * from "./board/index.ts";
export * from "./bus/index.ts";
export * from "./clock/index.ts";
export { inParallel } from "./collection/index.ts";
export * from "./command/index.ts";
export * from "./config-tools/index.ts";
export {
  type CompactionSectionValue,
  type CompactionSettings,
  type CompactionTrigger,
  type ContextSettings,
  compactionSection,
  DEFAULT_CONTEXT_SETTINGS,
  type PruningSectionValue,
  type PruningSettings,
  pruningSection,
  readTrigger,
} from "./context/index.ts";
export type { AgentCore, AgentEngine, CoreTaskInput } from "./create-agent-core.ts";
export { createAgentCore } from "./create-agent-core.ts";
export * from "./database/index.ts";
export * from "./delegation/index.ts";
export * from "./egress/index.ts";
export * from "./event/index.ts";
export * from "./feature/index.ts";
export * from "./general-tools/index.ts";
export * from "./inbox/index.ts";
export * from "./journal/index.ts";
export {
  JSON_LIMITS,
  type JsonLimits,
  type JsonObject,
  type JsonValue,
  type ParsedJson,
  parseJson,
} from "./json/index.ts";
export * from "./kept-answer/index.ts";
export * from "./model/index.ts";
export { JournalFeed, type JournalReader } from "./projection/index.ts";
export * from "./prompt-snapshot/index.ts";
export * from "./prompt-warming/index.ts";
export * from "./redaction/index.ts";
export * from "./session/index.ts";
export * from "./share/index.ts";
export * from "./task/index.ts";
export * from "./telemetry/index.ts";
export * from "./timer/index.ts";
export * from "./tool/index.ts";
export * from "./tracing/index.ts";
export * from "./turn/index.ts";
export * from "./waiting/index.ts";
export * from "./web-tools/index.ts";
export * from "./webhook/index.ts";

/** What a program needs that embeds an agent. `./host` has everything that a service needs beside it. */
export type { AnyTool, ToolDefinition } from "@agent-service/plugin-sdk";
export { activity } from "./activity/index.ts";
export type { AgentCoreOptions } from "./agent-core-options.ts";
export { audit } from "./audit/index.ts";
export { background } from "./background/index.ts";
export { BoardError, board } from "./board/index.ts";
export type { BusEvent, EventBus } from "./bus/index.ts";
export { type Clock, systemClock } from "./clock/index.ts";
export { codeRun, codeRunIn } from "./code-run/index.ts";
export type { CommandSource, SlashCommand } from "./command/index.ts";
export { commandChanges } from "./command-changes/index.ts";
export { configTools } from "./config-tools/index.ts";
export { type AgentCore, type AgentEngine, type CoreTaskInput, createAgentCore } from "./create-agent-core.ts";
export { DatabaseError, type DatabaseErrorCode } from "./database/index.ts";
export { DelegationError, delegation } from "./delegation/index.ts";
export { documentTools } from "./document-tools/index.ts";
export { createEgress, type Egress, EgressError, type EgressOptions } from "./egress/index.ts";
export {
  type AnswerPart,
  type CallOutcome,
  type CommittedEvent,
  type InputMessage,
  type InputPart,
  isTerminalState,
  type ModelAccount,
  type PendingPrompt,
  type PromptPayload,
  type PromptReason,
  type TaskEvent,
  type TaskEventKind,
  type TaskFailure,
  type TaskOrigin,
  type TaskState,
  type TaskTotals,
  type TaskUsage,
  type TaskView,
} from "./event/index.ts";
export {
  type AnyFeature,
  defineFeature,
  defineTools,
  type Engine,
  type Feature,
  FeatureError,
  type FeatureErrorCode,
  type FeatureHooks,
  type FeatureKey,
  featureKey,
  type Needed,
  type SettingsOf,
  type ValueOf,
} from "./feature/index.ts";
export { Fence, type FenceOptions, FenceRefusal, type FenceRefusalCode, type FenceRequest } from "./fence/index.ts";
export { FileHistoryError, fileHistory } from "./file-history/index.ts";
export { filesystem } from "./filesystem/index.ts";
export { generalTools } from "./general-tools/index.ts";
export { InboxError, inbox } from "./inbox/index.ts";
export type { JsonObject, JsonValue } from "./json/index.ts";
export { knowledge } from "./knowledge/index.ts";
export type { DecisionFields, EngineLog, LogDecision } from "./log/index.ts";
export { memory } from "./memory/index.ts";
export {
  type ChatCompletionsOptions,
  chatCompletions,
  createModelLanes,
  createModelRouter,
  type FinishReason,
  type LaneSettings,
  type Model,
  type ModelCallOptions,
  type ModelChoice,
  type ModelContent,
  ModelError,
  type ModelErrorCode,
  type ModelEvent,
  type ModelMessage,
  type ModelPrice,
  type ModelRequest,
  type ModelSettings,
  type ModelTool,
  type ModelToolCall,
  type ModelUsage,
  scripted,
  withRetry,
} from "./model/index.ts";
export type { JournalReader } from "./projection/index.ts";
export { promptSnapshots } from "./prompt-snapshot/index.ts";
export { promptWarming } from "./prompt-warming/index.ts";
export { recentActivity } from "./recent-activity/index.ts";
export { createRedactor, type Redactor, type RedactorOptions } from "./redaction/index.ts";
export { runCommands } from "./run-command/index.ts";
export { sessions } from "./session/index.ts";
export { skills } from "./skill/index.ts";
export {
  type OnRestart,
  type RequestKey,
  type StartTask,
  TaskError,
  type TaskErrorCode,
  type TaskHandle,
  type TaskService,
  type TurnBounds,
} from "./task/index.ts";
export { telemetry } from "./telemetry/index.ts";
export type { FireTimer } from "./timer/index.ts";
export {
  type EnforcementSettings,
  type LiveTools,
  searchTools,
  type Toolbox,
  type ToolPolicy,
  ToolRegistrationError,
  type ToolSource,
} from "./tool/index.ts";
export { tracing } from "./tracing/index.ts";
export type { ObservedCall, TaskOptions, TurnLimits } from "./turn/index.ts";
export {
  type CheckVerdict,
  type PreparedCheck,
  type VerificationOptions,
  VerifierError,
  type VerifierErrorCode,
  type Verifiers,
  verification,
} from "./verifier/index.ts";
export { waiting } from "./waiting/index.ts";
export { WebToolError, type WebToolsOptions, webTools } from "./web-tools/index.ts";
export { type RenderWebhook, WebhookError, webhooks } from "./webhook/index.ts";
export type { WorkingAsk, WorkingKind, WorkingPart, WorkingRow, WorkingSource } from "./working-state/index.ts";

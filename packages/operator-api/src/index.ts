/** The operator API: definitions with schemas both ways, over the services it is given (O1–O8). */

export type { A2ATasksService, RunFilter } from "./a2a-tasks/index.ts";
export type { ActivityRow, ActivityService } from "./activity/index.ts";
export type { ApprovalFilter, ApprovalPosition, ApprovalsPage, ApprovalsService } from "./approvals/index.ts";
export type { BackgroundService, JobPosition, JobRow } from "./background/index.ts";
export type { BoardService, IssueRow } from "./board/index.ts";
export type { ChangeRow, ChangesDiffRow, ChangesOf, ChangesService, UndoneFileRow } from "./changes/index.ts";
export type { ChatMessage, ChatService } from "./chat/index.ts";
export type { CodePaneService, FilePage, ProjectDiff } from "./code-pane/index.ts";
export type { CodingAgent, CodingAgentsService } from "./coding-agents/index.ts";
export type { CommandOutputService } from "./command-output/index.ts";
export type {
  ConfigurationReader,
  ConfigurationService,
  ConfigurationWriter,
  ExplainedValue,
  SetupService,
} from "./configuration/index.ts";
export { createOperatorApi, type OperatorApiOptions } from "./create-operator-api.ts";
export type { DelegationsService } from "./delegations/index.ts";
export type { DiagnosticsService } from "./diagnostics/index.ts";
export type { EditorHandoffService, OfferedHandoff } from "./editor-handoff/index.ts";
export type { EventsService } from "./events/index.ts";
export type { FilesService } from "./files/index.ts";
export type { GoalEventRow, GoalRow, GoalsService } from "./goals/index.ts";
export { createIdempotency, type IdempotencyOptions } from "./idempotency/index.ts";
export type { InboxRow, InboxService } from "./inbox/index.ts";
export type { JsonObject } from "./json-schema/index.ts";
export type {
  ChunkRow,
  IngestedDocument,
  KnowledgeQuery,
  KnowledgeService,
  KnowledgeSourcesService,
  KnowledgeTransferService,
} from "./knowledge/index.ts";
export type { McpServerBody, McpServerChange, McpServerPage, McpServerRow, McpService } from "./mcp/index.ts";
export type {
  ForgetWhich,
  InjectionService,
  MemoryInspectorService,
  MemoryReceipt,
  SessionMemoryService,
} from "./memory/index.ts";
export type { ConnectionProblem, ModelLanesService, ModelsService } from "./models/index.ts";
export { type OpenApiDocument, openApiDocument } from "./openapi/index.ts";
export { operationInput, operationRequest } from "./operation-call/index.ts";
export {
  EVENT_TOPICS,
  type FeatureName,
  type OperatorDefinition,
  type OperatorFeatures,
  type OperatorResource,
  type OperatorServices,
  operatorDefinitions,
  operatorResources,
  unbuiltDefinitions,
} from "./operator-resources.ts";
export {
  cursorOf,
  flagQuery,
  type IntegerQuery,
  integerQuery,
  type PageLimits,
  pageFields,
  pageQuery,
} from "./paging/index.ts";
export {
  listProblemSchema,
  notEnabled,
  Problem,
  type ProblemDetail,
  type ProblemEntry,
  type ProblemObject,
} from "./problem/index.ts";
export type { ProjectRow, ProjectsService } from "./projects/index.ts";
export type { PromptsService } from "./prompts/index.ts";
export type { Provider, ProvidersReader, ProvidersService, ProvidersWriter } from "./providers/index.ts";
export {
  type AbsentAnswer,
  type AnyResource,
  type ApiContents,
  defineResource,
  disabled,
  type EventTopic,
  emptyList,
  type FeatureFlags,
  type FeatureNameOf,
  type FeatureStatus,
  type MountOptions,
  mountResources,
  type Resource,
  ResourceError,
  type ResourceErrorCode,
  type ResourceOptions,
  refused,
  type ServiceOf,
  type ServicesOf,
  type UnbuiltRoutes,
} from "./resource/index.ts";
export {
  type Answer,
  type Call,
  defineRoute,
  type EventsReply,
  empty,
  events,
  type Failure,
  type Frozen,
  type Handler,
  type Idempotency,
  type InputOf,
  isMutation,
  type JsonReply,
  json,
  type MediaBody,
  type MediaReply,
  type Method,
  media,
  namesOf,
  type OperatorRoute,
  type PathNames,
  type PathParams,
  type RawRequest,
  type ReadJson,
  type Reply,
  type ReplyInput,
  type ReplyOutput,
  type RequestKey,
  type Result,
  type RouteDefinition,
  type RoutePorts,
  type ServedRoute,
  serve,
  validate,
} from "./route/index.ts";
export type { RuntimeService, RuntimeStatus } from "./runtime/index.ts";
export type { ScheduledJobRow, SchedulerService, SlotRunRow } from "./scheduler/index.ts";
export type { SecretsService } from "./secrets/index.ts";
export type { SessionEditsService } from "./session-edits/index.ts";
export type { SessionsService } from "./sessions/index.ts";
export type { SettingsReader, SettingsService, SettingsWriter } from "./settings/index.ts";
export type { ShareRow, SharesService, ShareTarget } from "./shares/index.ts";
export type { SkillChange, SkillDetail, SkillRow, SkillsService, SkillVersionRow } from "./skills/index.ts";
export type { SoulService, SoulVersionRow } from "./soul/index.ts";
export type { SteeringService } from "./steering/index.ts";
export type { SubagentsService, SubagentWork } from "./subagents/index.ts";
export { a2aStateOf } from "./task-state/index.ts";
export type { TelemetryService } from "./telemetry/index.ts";
export type { Theme, ThemeService } from "./theme/index.ts";
export type { AskedCall, ToolsService } from "./tools/index.ts";
export type { VerifierRow, WatchesService, WatchFireRow, WatchRow } from "./watches/index.ts";

/** The operator API: definitions with schemas both ways, over the services it is given (document 2; rulings O1–O8). */

export type { A2ATasksService } from "./a2a-tasks/index.ts";
export type { ActivityRow, ActivityService } from "./activity/index.ts";
export type { ApprovalFilter, ApprovalPlace, ApprovalsPage, ApprovalsService } from "./approvals/index.ts";
export type { BackgroundService, JobPlace, JobRow } from "./background/index.ts";
export type { BoardService, IssueRow } from "./board/index.ts";
export type { ChatMessage, ChatService } from "./chat/index.ts";
export type { CodingAgent, CodingAgentsService } from "./coding-agents/index.ts";
export type { ConfigurationReader, ConfigurationWriter, ExplainedValue } from "./configuration/index.ts";
export { createOperatorApi, type OperatorApiOptions, type OperatorServices } from "./create-operator-api.ts";
export { type OperatorDefinition, operatorDefinitions } from "./definitions.ts";
export type { DelegationsService } from "./delegations/index.ts";
export type { DiagnosticsService } from "./diagnostics/index.ts";
export { EVENT_TOPICS, type EventsService, type EventTopic } from "./events/index.ts";
export { type KeepAnswersOptions, keepAnswers } from "./idempotency/index.ts";
export type { InboxRow, InboxService } from "./inbox/index.ts";
export type { ModelsService } from "./models/index.ts";
export { type OpenApiDocument, openApiDocument } from "./openapi/index.ts";
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
  objectProblemSchema,
  Problem,
  type ProblemDetail,
  type ProblemEntry,
  type ProblemObject,
  problemText,
  textProblemSchema,
} from "./problem/index.ts";
export type { PromptsService } from "./prompts/index.ts";
export type { Provider, ProvidersReader, ProvidersWriter } from "./providers/index.ts";
export * from "./route/index.ts";
export type { RuntimeService, RuntimeStatus } from "./runtime/index.ts";
export type { SecretsService } from "./secrets/index.ts";
export type { SessionEditsService } from "./session-edits/index.ts";
export type { SessionsService } from "./sessions/index.ts";
export type { SettingsReader, SettingsWriter } from "./settings/index.ts";
export type { SteeringService } from "./steering/index.ts";
export type { SubagentsService, SubagentWork } from "./subagents/index.ts";
export { taskStateSchema, taskStateWord } from "./task-state/index.ts";
export type { TelemetryService } from "./telemetry/index.ts";
export type { Theme, ThemeService } from "./theme/index.ts";
export type { ToolsService } from "./tools/index.ts";
export { UNBUILT, type UnbuiltFeature, unbuiltDefinitions } from "./unbuilt/index.ts";

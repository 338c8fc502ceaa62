/**
 * What a service needs that is built on the engine: all of `.`, and of the parts it is made of (stores, bus, egress,
 * redaction, sections, features, models) what a host uses.
 */
export { schemaProblem } from "@agent-service/plugin-sdk";
export { ACTIVITY_CONTEXT, ActivityFeed } from "./activity/index.ts";
export { type ApprovalGrant, hitlPayload, promptText, type WaitingPrompt } from "./approval/index.ts";
export { AuditLog, type AuditNote, auditLog, middlewareSection } from "./audit/index.ts";
export { EventLog, topicProblem } from "./bus/index.ts";
export { executeCodeSection } from "./code-run/index.ts";
export { inParallel } from "./collection/index.ts";
export type { CommandChanges } from "./command-changes/index.ts";
export {
  type ContextSettings,
  compactionSection,
  DEFAULT_CONTEXT_SETTINGS,
  pruningSection,
  readTrigger,
} from "./context/index.ts";
export {
  collectLargeGarbage,
  createStoreThreads,
  type Database,
  type Failpoints,
  inspectStore,
  isStoreGone,
  isStoreServer,
  type LazyStore,
  type OpeningStore,
  openDatabase,
  openStore,
  readInstanceUid,
  type Statement,
  type StoreState,
  type StoreThreads,
  unstorablePath,
} from "./database/index.ts";
export { DocumentError, type DocumentErrorCode } from "./document/index.ts";
export { documentTools } from "./document-tools/index.ts";
export {
  createHostCheck,
  EgressConfigError,
  type EgressErrorCode,
  egressSection,
  type ResolveHost,
} from "./egress/index.ts";
export { emptyView, foldEvents, type HistoryEntry, type ShownComponent, taskCost } from "./event/index.ts";
export {
  type Access,
  isSecretLike,
  type Located,
  type Project,
  type ProjectDeclaration,
  ProjectRegistry,
  ProtectedPlaces,
  projectAt,
  projectsSection,
  type ReachableProject,
  rootProblem,
} from "./fence/index.ts";
export {
  type FileChanges,
  fileChanges,
  type ListedChange,
  type UndoneFile,
} from "./file-history/index.ts";
export {
  type EditorHandoff,
  FILE_TOOLS,
  files,
  filesystemSection,
  hasEditor,
  isBinary,
  openInEditor,
  SeenFiles,
} from "./filesystem/index.ts";
export { findRepository, GitError, removeLeftReadings, type WorkTreeDiff, workTreeDiff } from "./git-read/index.ts";
export * from "./host-autonomy.ts";
export {
  type Claim,
  createIdempotencyStore,
  type IdempotencyKey,
  type IdempotencyStore,
  type StoredResponse,
} from "./idempotency/index.ts";
export { Inbox, type InboxItem } from "./inbox/index.ts";
export * from "./index.ts";
export {
  DEFAULT_RETENTION,
  type InspectedTask,
  inspectTask,
  Journal,
  type Retention,
  readTimeline,
  removeExpired,
  type Timeline,
  type TimelineCall,
  type TimelineRange,
} from "./journal/index.ts";
export { JSON_LIMITS, parseJson } from "./json/index.ts";
export {
  type Chunk,
  contextSection,
  type Injection,
  type InjectionPosition,
  type Injections,
  KnowledgeError,
  type KnowledgeErrorCode,
  knowledgeSection,
  type MemoryUses,
  type OpenKnowledge,
  type OperatorKnowledge,
  type Source,
  type Sources,
  type Transfer,
} from "./knowledge/index.ts";
export {
  CLIENT_SECRET,
  childEnvironment,
  isForbiddenVariable,
  MAX_SERVERS,
  type McpCallRow,
  type McpDecision,
  McpError,
  type McpErrorCode,
  type McpFeatureOptions,
  type McpOperations,
  type McpRecordedCall,
  type McpSectionValue,
  type McpServerDetail,
  type McpServerEntry,
  type McpServerSettings,
  McpServers,
  type McpServerView,
  type McpTestResult,
  type McpToolView,
  mcpSection,
  mcpServers,
  OAUTH_CLIENT,
  placeholdersOf,
  readMcpServer,
  readMcpServers,
  resolveTarget,
  type ServerTarget,
  SignInError,
  type StdioTarget,
  takeSecretsOut,
  toServerName,
} from "./mcp/index.ts";
export * from "./memory/index.ts";
export {
  type ConnectionRegistry,
  createPromptCache,
  type EffortSupport,
  findLocalModels,
  GatewayFacts,
  type ImageSupport,
  isModelUnavailable,
  type ListedModel,
  leadWithScripted,
  listModels,
  ModelConfigError,
  type ModelConnection,
  type ModelLanes,
  type ModelLanesSnapshot,
  type ModelRouter,
  type ModelUse,
  modelSection,
  type PromptCache,
  type PromptCacheSettings,
  type ProvidersSectionValue,
  promptCacheSection,
  providersSection,
  REASONING_EFFORTS,
  type ReasoningEffort,
  type ResolvedConnection,
  resolveConnections,
  routingSection,
  type ShippedModels,
  SUBSCRIPTION_FIELDS,
  type SubscriptionCredential,
  type SubscriptionTokens,
  servingConnection,
  shippedModels,
  TokenSource,
  type TrialOutcome,
  tryModel,
} from "./model/index.ts";
export {
  Cloning,
  ONBOARDING_TOOLS,
  OnboardingError,
  type OnboardingErrorCode,
  onboardingSection,
  onboardingTools,
} from "./onboarding/index.ts";
export { probeSandbox, processEnvironment, type SandboxState, safePath } from "./process/index.ts";
export { PromptSnapshots, promptsSection } from "./prompt-snapshot/index.ts";
export type { PromptWarming, WarmSettings } from "./prompt-warming/index.ts";
export { isSecretName, mapTexts, REDACTED } from "./redaction/index.ts";
export { type CommandSettings, Commands, commandsOff, removeRedirections, sandboxPolicy } from "./run-command/index.ts";
export {
  type FileContent,
  type FilePlace,
  IncognitoSessionError,
  type MatchPage,
  RemovalUnfinishedError,
  type SessionCursor,
  type SessionFilter,
  type SessionPage,
  type SessionRecord,
  SessionServices,
  SessionSteering,
  Sessions,
  type SessionTurn,
  sessionMarkdown,
  sessionsSection,
  TooManyPinnedError,
  TooManyVersionsError,
  type TurnPage,
  type TurnRange,
  UnknownFileError,
  UnknownSessionError,
  UnknownTurnError,
} from "./session/index.ts";
export { type CallerClass, OPERATOR_CLASS, type Party, PartyCount, partyOf, shareOf } from "./share/index.ts";
export * from "./shares/index.ts";
export {
  type ReadYaml,
  type Skill,
  type SkillEntry,
  SkillError,
  type SkillErrorCode,
  type SkillLibrary,
  type SkillOrigin,
  type SkillShelf,
  type SkillUseCounts,
  type SoulHistory,
  skillsSection,
  soulSection,
} from "./skill/index.ts";
export {
  checkpointSection,
  DecisionError,
  type DirectCallEnd,
  DirectCallError,
  type DirectCalls,
  journalSection,
  limitsSection,
  listTasks,
  MAX_REQUEST_KEY_CHARS,
  type OpenedTurn,
  type OpenTurn,
  openTurn,
  type PriorMessage,
  requestKey,
  searchTasks,
  type TaskCursor,
  type TaskFilter,
  type TurnLoad,
} from "./task/index.ts";
export {
  CSV_HEAD,
  observationStore,
  type SeriesRange,
  Telemetry,
  TelemetryReports,
  type TurnPosition,
  type TurnRow,
  telemetrySection,
  turnRow,
  turnTelemetry,
} from "./telemetry/index.ts";
export { DurableTimers } from "./timer/index.ts";
export {
  ALWAYS_SHOWN,
  enforcementSection,
  nameMatcher,
  SEARCH_TOOLS,
  toolsSection,
} from "./tool/index.ts";
export {
  formatTraceparent,
  parseTraceparent,
  type Traces,
  type TracingEnvironment,
  tracingSection,
} from "./tracing/index.ts";
export { ASKED_BY_SETTINGS, type StructuredSkill, type TurnSampling } from "./turn/index.ts";
export { createPageReader, type PageReader, searchHosts, WebToolError, webSearchSection } from "./web-tools/index.ts";
export { type PushConfig, Webhooks } from "./webhook/index.ts";

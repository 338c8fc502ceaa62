import { a2aTasksDefinitions } from "./a2a-tasks/index.ts";
import { listActivity } from "./activity/index.ts";
import { approvalsDefinitions } from "./approvals/index.ts";
import { backgroundDefinitions } from "./background/index.ts";
import {
  closeIssue,
  createIssue,
  editIssue,
  initBoard,
  listIssues,
  readBoardStatus,
  readIssue,
  removeIssue,
} from "./board/index.ts";
import { chatDefinitions } from "./chat/index.ts";
import { listCodingAgents } from "./coding-agents/index.ts";
import {
  completeSetup,
  explainConfig,
  readConfig,
  readPreset,
  readSetupStatus,
  resetSetup,
  saveConfig,
} from "./configuration/index.ts";
import { delegationsDefinitions } from "./delegations/index.ts";
import { diagnosticsDefinitions } from "./diagnostics/index.ts";
import { followEvents, publishEvent } from "./events/index.ts";
import { addInboxItem, deliverInboxItem, listInbox } from "./inbox/index.ts";
import { findLocalModels, listModels, readLanes, testModel } from "./models/index.ts";
import { readOpenApi } from "./openapi/index.ts";
import { listOperations } from "./operations/index.ts";
import { promptsDefinitions } from "./prompts/index.ts";
import { addProvider, editProvider, listProviders, removeProvider } from "./providers/index.ts";
import { readRuntimeStatus } from "./runtime/index.ts";
import { readSecretsStatus, syncSecrets, testSecrets } from "./secrets/index.ts";
import { sessionEditsDefinitions } from "./session-edits/index.ts";
import { sessionsDefinitions } from "./sessions/index.ts";
import { applySettings, readSettingsSchema, resetSettings } from "./settings/index.ts";
import { steeringDefinitions } from "./steering/index.ts";
import { subagentsDefinitions } from "./subagents/index.ts";
import {
  exportTurns,
  listTurns,
  readTelemetryInsights,
  readTelemetrySeries,
  readTelemetrySummary,
} from "./telemetry/index.ts";
import { themeDefinitions } from "./theme/index.ts";
import { listTools } from "./tools/index.ts";

/** Every route of the operator API. The typed client is a reading of this list's type. */
export const operatorDefinitions = [
  readOpenApi,
  listOperations,
  readRuntimeStatus,
  readConfig,
  saveConfig,
  explainConfig,
  readSetupStatus,
  readPreset,
  completeSetup,
  resetSetup,
  readSettingsSchema,
  applySettings,
  resetSettings,
  listProviders,
  addProvider,
  editProvider,
  removeProvider,
  readSecretsStatus,
  syncSecrets,
  testSecrets,
  listModels,
  testModel,
  findLocalModels,
  readLanes,
  readTelemetrySummary,
  listTurns,
  exportTurns,
  readTelemetryInsights,
  readTelemetrySeries,
  ...promptsDefinitions,
  ...backgroundDefinitions,
  ...steeringDefinitions,
  listTools,
  ...chatDefinitions,
  ...approvalsDefinitions,
  ...sessionsDefinitions,
  ...sessionEditsDefinitions,
  followEvents,
  publishEvent,
  ...a2aTasksDefinitions,
  ...diagnosticsDefinitions,
  ...themeDefinitions,
  listCodingAgents,
  readBoardStatus,
  initBoard,
  listIssues,
  readIssue,
  createIssue,
  editIssue,
  closeIssue,
  removeIssue,
  listInbox,
  addInboxItem,
  deliverInboxItem,
  listActivity,
  ...subagentsDefinitions,
  ...delegationsDefinitions,
] as const;

/** One of the routes. */
export type OperatorDefinition = (typeof operatorDefinitions)[number];

import { type A2ATasksService, a2aTasksRoutes } from "./a2a-tasks/index.ts";
import { type ActivityService, activityRoutes } from "./activity/index.ts";
import { type ApprovalsService, approvalsRoutes } from "./approvals/index.ts";
import { type BackgroundService, backgroundRoutes } from "./background/index.ts";
import { type BoardService, boardRoutes } from "./board/index.ts";
import { type ChatService, chatRoutes } from "./chat/index.ts";
import { type CodingAgentsService, codingAgentsRoutes } from "./coding-agents/index.ts";
import {
  type ConfigurationReader,
  type ConfigurationWriter,
  configurationReadRoutes,
  configurationWriteRoutes,
} from "./configuration/index.ts";
import { type DelegationsService, delegationsRoutes } from "./delegations/index.ts";
import { type DiagnosticsService, diagnosticsRoutes } from "./diagnostics/index.ts";
import { type EventsService, eventsRoutes } from "./events/index.ts";
import { type InboxService, inboxRoutes } from "./inbox/index.ts";
import { type ModelsService, modelsRoutes } from "./models/index.ts";
import { openApiRoutes } from "./openapi/index.ts";
import { operationsRoutes } from "./operations/index.ts";
import { type PromptsService, promptsRoutes } from "./prompts/index.ts";
import {
  type ProvidersReader,
  type ProvidersWriter,
  providersReadRoutes,
  providersWriteRoutes,
} from "./providers/index.ts";
import { inMatchingOrder, mountRoute, type OperatorRoute, type RoutePorts, type ServedRoute } from "./route/index.ts";
import { type RuntimeService, runtimeRoutes } from "./runtime/index.ts";
import { type SecretsService, secretsRoutes } from "./secrets/index.ts";
import { type SessionEditsService, sessionEditsRoutes } from "./session-edits/index.ts";
import { type SessionsService, sessionsRoutes } from "./sessions/index.ts";
import { type SettingsReader, type SettingsWriter, settingsReadRoutes, settingsWriteRoutes } from "./settings/index.ts";
import { type SteeringService, steeringRoutes } from "./steering/index.ts";
import { type SubagentsService, subagentsRoutes } from "./subagents/index.ts";
import { type TelemetryService, telemetryRoutes } from "./telemetry/index.ts";
import { type ThemeService, themeRoutes } from "./theme/index.ts";
import { type ToolsService, toolsRoutes } from "./tools/index.ts";
import { unbuiltRoutes } from "./unbuilt/index.ts";

/** What the resources are over. A resource whose service is not given is not served and stands in no document. */
export interface OperatorServices {
  readonly runtime: RuntimeService;
  readonly configuration: ConfigurationReader;
  readonly settings: SettingsReader;
  readonly providers: ProvidersReader;
  readonly configurationWriter?: ConfigurationWriter;
  readonly settingsWriter?: SettingsWriter;
  readonly providersWriter?: ProvidersWriter;
  readonly secrets: SecretsService;
  readonly models: ModelsService;
  readonly events?: EventsService;
  readonly a2aTasks?: A2ATasksService;
  readonly diagnostics?: DiagnosticsService;
  readonly theme?: ThemeService;
  readonly codingAgents?: CodingAgentsService;
  readonly telemetry?: TelemetryService;
  readonly prompts?: PromptsService;
  readonly background?: BackgroundService;
  readonly steering?: SteeringService;
  readonly approvals?: ApprovalsService;
  readonly tools?: ToolsService;
  readonly chat?: ChatService;
  readonly sessions?: SessionsService;
  readonly sessionEdits?: SessionEditsService;
  readonly board?: BoardService;
  readonly inbox?: InboxService;
  readonly activity?: ActivityService;
  readonly subagents?: SubagentsService;
  readonly delegations?: DelegationsService;
}

/** What the operator API is made of. */
export interface OperatorApiOptions extends RoutePorts {
  readonly services: OperatorServices;
  /** Of the service; shown in the document. */
  readonly version: string;
}

/** The operator API as rows for the service's route table, in the order a router must see them. */
export function createOperatorApi({ services, version, ...ports }: OperatorApiOptions): readonly OperatorRoute[] {
  const definitions = () => served.map(({ definition }) => definition);
  const served: readonly ServedRoute[] = [
    ...openApiRoutes(definitions, version),
    ...operationsRoutes(definitions),
    ...runtimeRoutes(services.runtime),
    ...configurationReadRoutes(services.configuration),
    ...settingsReadRoutes(services.settings),
    ...providersReadRoutes(services.providers),
    ...(services.configurationWriter ? configurationWriteRoutes(services.configurationWriter) : []),
    ...(services.settingsWriter ? settingsWriteRoutes(services.settingsWriter) : []),
    ...(services.providersWriter ? providersWriteRoutes(services.providersWriter) : []),
    ...secretsRoutes(services.secrets),
    ...modelsRoutes(services.models),
    ...(services.prompts ? promptsRoutes(services.prompts) : []),
    ...(services.steering ? steeringRoutes(services.steering) : []),
    ...(services.approvals ? approvalsRoutes(services.approvals) : []),
    ...(services.tools ? toolsRoutes(services.tools) : []),
    ...(services.chat ? chatRoutes(services.chat) : []),
    ...(services.sessions ? sessionsRoutes(services.sessions) : []),
    ...(services.sessionEdits ? sessionEditsRoutes(services.sessionEdits) : []),
    ...(services.a2aTasks ? a2aTasksRoutes(services.a2aTasks) : []),
    ...(services.diagnostics ? diagnosticsRoutes(services.diagnostics) : []),
    ...(services.theme ? themeRoutes(services.theme) : []),
    ...(services.codingAgents ? codingAgentsRoutes(services.codingAgents) : []),
    ...(services.events ? eventsRoutes(services.events) : []),
    ...(services.subagents ? subagentsRoutes(services.subagents) : []),
    ...(services.delegations ? delegationsRoutes(services.delegations) : []),
    ...(services.background ? backgroundRoutes(services.background) : []),
    ...(services.telemetry ? telemetryRoutes(services.telemetry) : []),
    ...(services.board ? boardRoutes(services.board) : []),
    ...(services.inbox ? inboxRoutes(services.inbox) : []),
    ...(services.activity ? activityRoutes(services.activity) : []),
    ...unbuiltRoutes(),
  ];
  return inMatchingOrder(served.map((one) => mountRoute(one, ports)));
}

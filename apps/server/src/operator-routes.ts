/** The rows of the operator API, `/api/*` (document 2), over the services it is given. */
import { join } from "node:path";
import {
  type AgentCore,
  type BackgroundJobs,
  createAnswerStore,
  createIdSource,
  JSON_LIMITS,
  parseJson,
  readInstanceUid,
  systemClock,
  unstorablePlace,
} from "@agent-service/agent-core";
import { type BoardService, createOperatorApi, keepAnswers, type RoutePorts } from "@agent-service/operator-api";
import { packageVersion } from "./cli/index.ts";
import { configurationServices } from "./compose-configuration.ts";
import { conversationServices } from "./compose-conversation.ts";
import type { ComposedModels } from "./compose-models.ts";
import type { Observation } from "./compose-observation.ts";
import { maxBodyBytes, type Route } from "./http/index.ts";
import type { Logging } from "./logging/index.ts";
import type { ServiceSecrets } from "./open-secrets.ts";
import {
  a2aTasksService,
  activityService,
  approvalsService,
  backgroundService,
  codingAgents,
  delegationRoutesOver,
  diagnosticsService,
  eventsService,
  inboxService,
  instanceUid,
  modelsService,
  operatorRows,
  refusalOf,
  runtimeService,
  steeringService,
  type ToolGroup,
  toolsService,
} from "./operator/index.ts";
import type { PersonaFile } from "./persona/index.ts";
import type { LiveSettings, ServerSettings } from "./sections/index.ts";
import { themeFile } from "./theme/index.ts";

/** What the rows are over. */
export interface OperatorRouteParts {
  readonly live: LiveSettings;
  readonly settings: ServerSettings;
  readonly core: AgentCore;
  readonly models: ComposedModels;
  readonly logging: Logging;
  readonly secrets: ServiceSecrets;
  readonly persona: PersonaFile;
  readonly observation: Pick<Observation, "telemetry" | "prompts" | "webhooks">;
  readonly tools: readonly ToolGroup[];
  readonly board: BoardService;
  readonly background: BackgroundJobs;
  readonly state: { readonly draining: boolean };
  /** Takes secrets out of a text (ruling S5). */
  readonly redact: (text: string) => string;
  /** Silence on a stream before a comment; default 15,000 ms. */
  readonly keepAliveMs?: number | undefined;
  /** For tests: told of every answer that does not fit its schema. */
  readonly onMisfit?: RoutePorts["onMisfit"];
}

/** A body is bounded by its bytes; so are its depth and its number of values (ruling S7). */
const BODY_LIMITS = Object.freeze({ ...JSON_LIMITS, maxLength: maxBodyBytes });

function readJson(text: string): ReturnType<RoutePorts["readJson"]> {
  const read = parseJson(text, BODY_LIMITS);
  // Only an escape can spell what no store holds; most bodies have none and are not walked.
  const place = read.ok && text.includes("\\u") ? unstorablePlace(read.value) : undefined;
  if (place !== undefined)
    return { ok: false, message: "Expected text without NUL characters and halves of surrogate pairs.", place };
  if (read.ok) return read;
  // The parser's own words would quote the text, which may hold a secret.
  return {
    ok: false,
    message: read.code === "json.syntax" ? "The body is not valid JSON." : `The body: ${read.message}.`,
  };
}

/** The rows of `/api`. */
export function operatorRoutes(parts: OperatorRouteParts): readonly Route[] {
  const { settings, core, models, secrets, observation, state, redact, logging, onMisfit } = parts;
  const version = packageVersion();
  const warn = (message: string): void => logging.logger.warn(message);
  return operatorRows(
    createOperatorApi({
      version,
      readJson,
      refusalOf,
      redact,
      onMisfit,
      keepAnswer: keepAnswers({ store: createAnswerStore(core.db, systemClock()), warn }),
      services: {
        models: modelsService({ settings, redact, models, clock: systemClock() }),
        ...configurationServices(parts.live, models, parts.persona, () => secrets.manager.status().vars),
        telemetry: observation.telemetry,
        prompts: observation.prompts,
        steering: steeringService({ core, newId: createIdSource(systemClock()), redact }),
        approvals: approvalsService({ core, redact }),
        background: backgroundService({
          jobs: parts.background,
          bus: core.bus,
          agentName: settings.environment.agentName,
          redact,
        }),
        tools: toolsService({ groups: parts.tools, core, settings }),
        ...conversationServices(parts),
        ...delegationRoutesOver(core, () => settings.subagents, logging.logger),
        a2aTasks: a2aTasksService(core, redact),
        diagnostics: diagnosticsService(core, logging, redact),
        theme: themeFile(join(settings.paths.home, settings.instance, "theme.json"), () =>
          core.bus.publish("theme.changed", {}),
        ),
        codingAgents: codingAgents(() => process.env.PATH),
        events: eventsService({ bus: core.bus, keepAliveMs: parts.keepAliveMs }),
        board: parts.board,
        inbox: inboxService(core.inbox, redact),
        activity: activityService(core.activity, redact),
        runtime: runtimeService({
          version,
          settings,
          store: core.db,
          instanceUid: instanceUid(() => readInstanceUid(core.db)),
          features: () => ({
            ...{ a2a: true, chat_completions: true, webhooks: true, events: true, approvals: true },
            ...{ tasks: true, inbox: true, activity: true, background: true, theme: true, diagnostics: true },
            secrets_manager: secrets.manager.status().enabled,
            chat: true,
            sessions: true,
            subagents: true,
            settings: true,
            setup: true,
            model_lanes: settings.model.max_inflight > 0,
            telemetry: settings.telemetry.enabled,
            prompts: settings.prompts.capture,
            audit: settings.middleware.audit,
            tracing: settings.tracing.enabled,
          }),
          middleware: () => ({
            audit: settings.middleware.audit,
            prompt_cache: settings.promptCache.enabled,
            compaction: settings.compaction.enabled,
          }),
          ready: () => !state.draining,
          redact,
          models,
          configuration: parts.live,
          failingWebhooks: observation.webhooks.failing,
          load: (party) => core.service.runner.queue.load(party),
        }),
        secrets: {
          status: () => secrets.manager.status(),
          required: () => settings.secretsManager.required,
          sync: () => secrets.manager.sync(),
          test: (overrides) => secrets.manager.test(overrides),
        },
      },
    }),
  );
}

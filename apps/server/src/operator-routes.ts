/** The rows of the operator API, `/api/*` (document 2), over the services it is given. */
import { join } from "node:path";
import {
  createAnswerStore,
  createIdSource,
  JSON_LIMITS,
  parseJson,
  readInstanceUid,
  systemClock,
  unstorablePlace,
} from "@agent-service/agent-core";
import { createOperatorApi, keepAnswers, type RoutePorts } from "@agent-service/operator-api";
import { configurationServices } from "./compose-configuration.ts";
import { conversationServices } from "./compose-conversation.ts";
import type { ComposedFeatures, ServiceCore } from "./compose-features.ts";
import { maxBodyBytes, type Route } from "./http/index.ts";
import {
  a2aTasksService,
  approvalsService,
  codingAgents,
  diagnosticsService,
  eventsService,
  instanceUid,
  modelsService,
  operatorRows,
  refusalOf,
  runtimeService,
  steeringService,
  toolsService,
} from "./operator/index.ts";
import type { PersonaFile } from "./persona/index.ts";
import type { ServiceHost } from "./service-feature/index.ts";
import { themeFile } from "./theme/index.ts";

/** What the rows are over. */
export interface OperatorRouteParts {
  readonly host: ServiceHost;
  readonly core: ServiceCore;
  readonly features: ComposedFeatures;
  readonly soul: PersonaFile;
  readonly state: { readonly draining: boolean };
  /** Silence on a stream before a comment; default 15,000 ms. */
  readonly keepAliveMs?: number | undefined;
  /** For tests: called with every answer that does not fit its schema. */
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
  const { host, core, features, soul, state, onMisfit } = parts;
  const { live, settings, models, secrets, logging, version } = host;
  const redact = (text: string): string => host.redactor.text(text);
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
        ...configurationServices(live, models, soul, () => secrets.manager.status().vars),
        ...features.services(core),
        steering: steeringService({ core, newId: createIdSource(systemClock()), redact }),
        approvals: approvalsService({ core, redact }),
        tools: toolsService({ core, settings }),
        ...conversationServices({ core, models, settings, logging }),
        a2aTasks: a2aTasksService(core, redact),
        diagnostics: diagnosticsService(core, logging, redact),
        theme: themeFile(join(settings.paths.home, settings.instance, "theme.json"), () =>
          core.bus.publish("theme.changed", {}),
        ),
        codingAgents: codingAgents(() => process.env.PATH),
        events: eventsService({ bus: core.bus, keepAliveMs: parts.keepAliveMs }),
        runtime: runtimeService({
          version,
          settings,
          store: core.db,
          instanceUid: instanceUid(() => readInstanceUid(core.db)),
          features: () => ({
            ...{ a2a: true, chat_completions: true, events: true, approvals: true, chat: true },
            ...{ settings: true, setup: true, theme: true, diagnostics: true },
            secrets_manager: secrets.manager.status().enabled,
            model_lanes: settings.model.max_inflight > 0,
            ...features.flags(),
          }),
          middleware: () => ({
            audit: settings.middleware.audit,
            prompt_cache: settings.promptCache.enabled,
            compaction: settings.compaction.enabled,
          }),
          ready: () => !state.draining,
          redact,
          models,
          configuration: live,
          failingWebhooks: () => core.features.webhooks.failingHosts(),
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

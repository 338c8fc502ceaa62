/** The model layer, from settings: connections, lanes, retries, fallbacks, the lead (B52 `model`, `providers`, `routing`; R6, R13). */
import {
  type Clock,
  createModelLanes,
  createModelRouter,
  createPromptCache,
  type LaneSettings,
  type LogDecision,
  type ModelChoice,
  ModelConfigError,
  type ModelConnection,
  type ModelLanes,
  type ModelLanesSnapshot,
  type ModelRouter,
  type ModelSettings,
  type PromptCache,
  type ReasoningEffort,
  servingConnection,
  shippedModels,
  withRetry,
} from "@agent-service/agent-core/host";
import { derive, type ServerSettings } from "../settings/index.ts";
import { type AuthFailure, type AuthWatch, watchAuth } from "./auth-watch.ts";
import { promptCacheSettings } from "./context-settings.ts";
import { heldRouters } from "./held-routers.ts";
import { type ConnectionsFacts, factsOfConnections } from "./model-facts.ts";
import type { Subscriptions } from "./subscriptions.ts";

export type ModelLayerSettings = Pick<ServerSettings, "model" | "models" | "routing" | "prompt_cache" | "environment">;

/** The models of a service. Every read follows the current settings. */
export interface ComposedModels {
  /** Finds the model for a value; undefined: the lead. Raises `ModelConfigError`. */
  readonly choose: (value: string | undefined) => ModelChoice;
  /** A refusal of a credential since which neither a call succeeded nor the settings changed. */
  readonly authFailure: () => AuthFailure | undefined;
  /** The state of the lanes (B46 `GET /api/telemetry/llm-lanes`). */
  readonly lanes: () => ModelLanesSnapshot;
  /** A connection of the settings, as the router has it. */
  readonly connectionOf: (connection: ModelLayerSettings["models"]["connections"][number]) => ModelConnection;
  readonly price: ConnectionsFacts["priceOf"];
  /** Tokens that a model takes, by the first connection that reports it; undefined: none does. */
  readonly windowOf: (model: string) => number | undefined;
  readonly leadName: string;
  readonly leadIsScripted: boolean;
  /** Whether the lead takes images; undefined: unknown, or there is no such model. */
  readonly leadTakesImages: boolean | undefined;
  /** The reasoning efforts the lead takes; undefined: unknown, or there is no such model. */
  readonly leadEfforts: readonly ReasoningEffort[] | undefined;
  readonly efforts: ConnectionsFacts["effortsOf"];
  close(): Promise<void>;
}

/** The sampling settings of a call. */
function settingsOf({ model }: ModelLayerSettings): ModelSettings {
  return {
    temperature: model.temperature,
    maxTokens: model.max_tokens,
    ...(model.top_p === undefined ? {} : { topP: model.top_p }),
    ...(model.top_k < 0 ? {} : { topK: model.top_k }),
    ...(model.presence_penalty === undefined ? {} : { presencePenalty: model.presence_penalty }),
    ...(model.repetition_penalty === undefined ? {} : { repetitionPenalty: model.repetition_penalty }),
    ...(model.reasoning_effort === "" ? {} : { reasoningEffort: model.reasoning_effort }),
    ...(model.chat_template_kwargs === undefined ? {} : { chatTemplateKwargs: model.chat_template_kwargs }),
  };
}

function laneSettings({ model }: ModelLayerSettings): LaneSettings {
  return {
    maxInflight: model.max_inflight,
    queueTimeoutMs: model.inflight_queue_timeout * 1000,
    reserve: model.inflight_interactive_reserve,
  };
}

type Connection = ModelLayerSettings["models"]["connections"][number];

/** A connection of the settings, as a router takes it. */
function connectionOf(
  connection: Connection,
  { codexBaseUrl, codexOutputVersion }: ModelLayerSettings["environment"],
  subscriptions: Subscriptions | undefined,
): ModelConnection {
  const { id, type, label, apiKey } = connection;
  const isB = type === "oauth-subscription-b";
  const baseUrl = connection.baseUrl || (isB ? (codexBaseUrl ?? "") : "");
  const tokens = type.startsWith("oauth-") ? subscriptions?.tokensOf(connection) : undefined;
  return {
    id,
    type,
    label,
    ...(baseUrl === "" ? {} : { baseUrl }),
    ...(apiKey === "" ? {} : { apiKey }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(isB ? { outputVersion: codexOutputVersion } : {}),
  };
}

interface RouterParts {
  readonly lanes: ModelLanes;
  readonly auth: AuthWatch;
  readonly cache: PromptCache;
  readonly connection: (connection: Connection) => ModelConnection;
}

function openRouter(settings: ModelLayerSettings, { lanes, auth, cache, connection }: RouterParts): ModelRouter {
  const { model, models } = settings;
  const connections = models.connections.map((one) => ({ ...connection(one), ...liveKey(settings, one) }));
  return createModelRouter({
    connections,
    defaultModel: models.lead,
    scripted: connections.some(({ type }) => type === "scripted"),
    requestTimeoutMs: model.request_timeout * 1000,
    // A retry waits outside the lane, so that it keeps no slot from others.
    wrap(inner, { id, type }) {
      const retried = withRetry(lanes.wrap(id, auth.wrap(id, inner)), { maxRetries: model.max_retries });
      // The scripted model has no prefix to keep, and nothing to warn of.
      return type === "scripted" ? retried : cache.wrap(id, retried);
    },
  });
}

/**
 * A turn keeps the connection it began with, but new secrets apply at once (S8): the key is looked up before each
 * call, as long as the connection still has the address that the key is stored for (R13).
 */
function liveKey(settings: ModelLayerSettings, { id, type, baseUrl, apiKey }: Connection): Partial<ModelConnection> {
  if (type !== "compat-gateway") return {};
  return {
    apiKey() {
      const now = settings.models.connections.find((one) => one.id === id);
      return now?.baseUrl === baseUrl ? now.apiKey : apiKey;
    },
  };
}

/** Fallbacks without a connection are left out: they are resolved again when the settings change. */
function findFallbacks(
  { routing }: ModelLayerSettings,
  find: (value: string) => ModelChoice,
  warn: (message: string) => void,
): ModelChoice[] {
  return routing.fallback_models.flatMap((value) => {
    try {
      return [find(value)];
    } catch (error) {
      if (!(error instanceof ModelConfigError)) throw error;
      warn(`routing.fallback_models: ${JSON.stringify(value)} is left out: ${error.message}`);
      return [];
    }
  });
}

export interface ComposeModelsOptions {
  /** Of the waits for a slot. */
  readonly clock?: Clock;
  /** Receives warnings of fallbacks that cannot be used. */
  readonly warn?: (message: string) => void;
  readonly debug?: LogDecision | undefined;
  /** Where a connection's values come from and how to change them, for the operator. */
  readonly explain?: (connectionId: string) => string | undefined;
  /** The bearers of subscriptions; without them none is served. */
  readonly subscriptions?: Subscriptions;
}

/** Failures that another address or another key may fix. */
const MENDED_BY_SETTINGS: ReadonlySet<string> = new Set(["network", "timeout", "unauthorized"]);

function explanationOf(id: string, explain: ComposeModelsOptions["explain"]): Pick<ModelChoice, "explain"> {
  if (explain === undefined) return {};
  return {
    explain: ({ code, hasAnswered }) => (MENDED_BY_SETTINGS.has(code) && !hasAnswered ? explain(id) : undefined),
  };
}

/** A model of the settings, and what its provider may report of it later. */
interface FoundModel {
  readonly choice: ModelChoice;
  readonly window: () => Pick<ModelChoice, "windowTokens">;
}

function windowed(windowTokens: number | undefined): Pick<ModelChoice, "windowTokens"> {
  return windowTokens === undefined ? {} : { windowTokens };
}

function choiceOf({ choice, window }: FoundModel): ModelChoice {
  return { ...choice, ...window() };
}

/** The lead, which nearly every turn uses: the same object until its window changes. */
function keptLead(resolve: () => FoundModel): () => ModelChoice {
  let found: FoundModel | undefined;
  let lead: ModelChoice | undefined;
  return () => {
    found ??= resolve();
    if (lead === undefined || lead.windowTokens !== found.window().windowTokens) lead = choiceOf(found);
    return lead;
  };
}

/** The lead; undefined: there is no such model. */
function leadOf(choose: ComposedModels["choose"]): ModelChoice | undefined {
  try {
    return choose(undefined);
  } catch (error) {
    if (error instanceof ModelConfigError) return undefined;
    throw error;
  }
}

/** Composes the models. `settings` may be live. */
export function composeModels(
  settings: ModelLayerSettings,
  { clock, warn = () => {}, debug, explain, subscriptions }: ComposeModelsOptions = {},
): ComposedModels {
  const connection = (one: Connection): ModelConnection => connectionOf(one, settings.environment, subscriptions);
  const lanes = createModelLanes({ settings: () => laneSettings(settings), debug, ...(clock && { clock }) });
  const auth = watchAuth();
  // Per process: a warning is not repeated with the next settings.
  const cache = createPromptCache({ settings: derive(() => [settings.prompt_cache], promptCacheSettings), warn });
  const published = shippedModels();
  const routers = heldRouters();
  const current = derive(
    () => [settings.model, settings.models, settings.routing],
    () => {
      const router = openRouter(settings, { lanes, auth, cache, connection });
      auth.forget();
      const opened = routers.open(router);
      lanes.settingsChanged();
      const sampling = settingsOf(settings);
      const known = factsOfConnections(settings.models.connections, connection, published);
      const resolve = (value: string | undefined): FoundModel => {
        const { model, name, connectionId, commands } = router.resolve(value);
        const facts = known.of(connectionId);
        const choice = { model, name, settings: sampling, use: opened.use, commands };
        if (facts === undefined) return { choice, window: () => ({}) };
        const window = () => windowed(facts.windowOf(name));
        const price = () => facts.priceOf(name);
        const explained = explanationOf(connectionId, explain);
        const support = { images: facts.imagesOf(name), efforts: facts.effortsOf(name) };
        return { choice: { ...choice, ...explained, price, ...support }, window };
      };
      const find = (value: string | undefined): ModelChoice => choiceOf(resolve(value));
      return {
        find,
        findLead: keptLead(() => resolve(undefined)),
        known,
        fallbacks: findFallbacks(settings, find, warn),
      };
    },
  );

  function choose(value: string | undefined): ModelChoice {
    const { find, findLead, fallbacks } = current();
    const choice = value === undefined ? findLead() : find(value);
    if (fallbacks.length === 0) return choice;
    return {
      ...choice,
      fallbacks: fallbacks.filter(({ model, name }) => model !== choice.model || name !== choice.name),
    };
  }

  return {
    choose,
    get leadTakesImages() {
      return leadOf(choose)?.images?.taken();
    },
    get leadEfforts() {
      return leadOf(choose)?.efforts?.taken();
    },
    efforts: (model, at) => current().known.effortsOf(model, at),
    authFailure: () => auth.failure(),
    lanes: () => lanes.snapshot(),
    connectionOf: connection,
    price: (model, at) => current().known.priceOf(model, at),
    windowOf: (model) => current().known.windowOf(model),
    get leadName() {
      return settings.models.lead;
    },
    get leadIsScripted() {
      const { lead, connections } = settings.models;
      return servingConnection(connections, lead)?.connection.type === "scripted";
    },
    close: () => routers.close(),
  };
}

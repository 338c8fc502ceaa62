/**
 * The only wiring (house.md): settings in, a service out. Order matters: nothing listens before the store is open and
 * every task a former process left has an owner or an end (rulings A18, R12).
 */
import {
  type AgentCore,
  type AnyTool,
  type BackgroundJobs,
  type Clock,
  createAgentCore,
  createRedactor,
  DatabaseError,
  type EventBus,
  type Failpoints,
  type OpeningStore,
  type Redactor,
  systemClock,
} from "@agent-service/agent-core";
import { banner, endProcess, packageVersion, type StartedService, StartupError } from "./cli/index.ts";
import { type ComposedBackground, composeBackground } from "./compose-background.ts";
import { type ComposedBoard, composeBoard } from "./compose-board.ts";
import { advertisedAddress } from "./compose-card.ts";
import { contextSettings, warmSettings } from "./compose-context.ts";
import { tellSettings } from "./compose-events.ts";
import { type ComposeBounds, engineBounds } from "./compose-limits.ts";
import { openMetrics } from "./compose-metrics.ts";
import { type ComposedModels, composeModels } from "./compose-models.ts";
import { composeObservation, type Observation } from "./compose-observation.ts";
import { followChanges } from "./compose-reload.ts";
import { serviceRoutes } from "./compose-routes.ts";
import { followSecrets, knownSecrets } from "./compose-secrets.ts";
import { createSubscriptions, saveCredential } from "./compose-subscriptions.ts";
import { enforcementSettings, serviceTools, toolPolicy } from "./compose-tools.ts";
import { composeWebhooks } from "./compose-webhooks.ts";
import {
  checkBind,
  createDoors,
  type Doors,
  doorWarnings,
  isOpen,
  type ListenOptions,
  listen,
  mountRoutes,
  notingRefusals,
  type Route,
  refusesUpgrade,
} from "./http/index.ts";
import { captureConsole, createLineWriter, createLogging, type Logging } from "./logging/index.ts";
import { feedMetrics, type Metrics } from "./metrics/index.ts";
import { type ServiceSecrets, serviceSecrets } from "./open-secrets.ts";
import { openServiceStore } from "./open-service-store.ts";
import { withErrorObject } from "./openai/index.ts";
import { logTurns, type ToolGroup } from "./operator/index.ts";
import { openPersonaFile, type PersonaFile, personaText } from "./persona/index.ts";
import { derive, explainConnection, type LiveSettings, type ServerSettings } from "./sections/index.ts";

/** What a composition may be given beyond its settings. */
export interface ComposeOptions {
  /** Further tools, after the service's own. */
  readonly tools?: readonly AnyTool[];
  /** The store, if it is being opened already, or what opens it. Default: what `openServiceStore` opens. */
  readonly store?: OpeningStore | typeof openServiceStore;
  /** What the settings' variables came from, if a secrets manager may be among it. */
  readonly secrets?: ServiceSecrets;
  /** For tests only. */
  readonly failpoints?: Failpoints;
  /** For tests only: the engine's time. */
  readonly clock?: Clock;
  /** For tests only: the time of webhooks, where it is not the engine's. */
  readonly webhookClock?: Clock;
  /** Where log lines go. Default: standard output. */
  readonly write?: (line: string) => void;
  /** The process is the service's own: what its dependencies print goes into the log (ruling S5), until it closes. */
  readonly ownsConsole?: boolean;
  /** Ends the process when the engine cannot go on. Default: `endProcess`. */
  readonly exit?: (code: number) => void;
  /** For tests: told of every answer of the operator API that does not fit its schema (ruling O2). */
  readonly onMisfit?: (misfit: string) => void;
  /** Smaller bounds than those of the rulings, so that tests can reach them. */
  readonly bounds?: ComposeBounds;
  /** The folder with the built console. Default: the package's own, or the one of the checkout. */
  readonly consoleDirectory?: string;
}

/** A service that listens. */
export interface ComposedService extends StartedService {
  readonly core: AgentCore;
  readonly background: BackgroundJobs;
  /** `http://` base of the bound address. */
  readonly url: string;
  readonly port: number;
  /** What is mounted. */
  readonly routes: readonly Route[];
}

function storeError(error: unknown): unknown {
  if (error instanceof DatabaseError) {
    const code = error.code === "in_use" ? "store-owned" : "store-unavailable";
    return new StartupError(code, error.message, { cause: error });
  }
  const { code, path } = error as NodeJS.ErrnoException;
  if (typeof code === "string" && typeof path === "string") {
    return new StartupError("store-unavailable", `${path}: cannot be used for the store (${code})`, { cause: error });
  }
  return error;
}

async function openCore(
  settings: ServerSettings,
  parts: {
    store: OpeningStore;
    models: ComposedModels;
    metrics: Metrics;
    log: ServiceLog;
    observation: Observation;
    persona: () => string;
    tools: readonly ToolGroup[];
    beside: ComposedBackground;
    running: RunningCore;
  },
  options: ComposeOptions,
): Promise<AgentCore> {
  const { store, models, metrics, observation, persona, beside } = parts;
  const { logging, redactor, flush } = parts.log;
  const { exit = endProcess, bounds = {} } = options;
  const { logger } = logging;
  return createAgentCore({
    store,
    readers: observation.readers,
    onModelCall: observation.onModelCall,
    forgetSession: async (session) => {
      await beside.forgetSession(session);
      await observation.forgetSession(session);
    },
    traceparent: observation.traceparent,
    ...engineBounds(settings, bounds),
    model: models.choose,
    persona,
    context: derive(() => [settings.pruning, settings.compaction], contextSettings),
    promptWarming: derive(() => [settings.promptCache], warmSettings),
    tools: parts.tools.flatMap(({ tools }) => tools),
    delegations: beside.delegations,
    toolPolicy: toolPolicy(settings),
    enforcement: enforcementSettings(settings),
    onRestart: settings.checkpoint.on_restart,
    redactor,
    log: { info: (message) => logger.info(message), warn: (message) => logger.warn(message) },
    onCommit: (_view, events) => feedMetrics(metrics, events),
    onFatal: (error) => {
      // Crash-only: what was committed is safe, and the next start knows what to do with the rest.
      logger.error({ err: error }, "the engine cannot go on");
      void flush().finally(() => exit(1));
    },
    webhooks: composeWebhooks(settings, {
      ...{ metrics, logging, clock: options.webhookClock, bus: busOf(parts.running), watch: observation.webhooks },
    }),
    ...(options.failpoints === undefined ? {} : { failpoints: options.failpoints }),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
  });
}

function accessOf(settings: ServerSettings): "token" | "open-loopback" | "open-network" {
  if (!isOpen(settings.credentials)) return "token";
  return checkBind({ ...settings.bind, credentials: settings.credentials, allowOpen: false }) === undefined
    ? "open-loopback"
    : "open-network";
}

interface ServiceLog {
  readonly logging: Logging;
  /** The one that sits on every sink (ruling S5). */
  readonly redactor: Redactor;
  flush(): Promise<void>;
  /** Puts the console back. */
  release(): void;
}

/** The engine, once it runs. */
interface RunningCore {
  core?: AgentCore;
  background?: BackgroundJobs;
}

/** Tells what changes once the engine runs; before that nobody can have listened. */
function busOf(running: RunningCore): EventBus {
  return { publish: (topic, data) => running.core?.bus.publish(topic, data) };
}

interface LogParts {
  readonly running: RunningCore;
  readonly secrets: ServiceSecrets;
}

function openLog(settings: ServerSettings, options: ComposeOptions, { running, secrets }: LogParts): ServiceLog {
  const known = knownSecrets(settings, secrets);
  const redactor: Redactor = createRedactor({ secrets: known });
  // Tokens of webhooks are chosen by callers, so they are looked for in the log only: one may not blank out what another
  // one's tools say.
  const logged = createRedactor({
    secrets: () => [...known(), ...(running.core?.webhooks?.secrets() ?? [])],
  });
  const writer = options.write === undefined ? createLineWriter(process.stdout) : undefined;
  const logging = createLogging({
    level: settings.environment.logLevel,
    format: settings.environment.logFormat,
    bufferLines: settings.environment.logBufferLines,
    redact: (text) => logged.text(text),
    write: options.write ?? ((line) => writer?.write(line)),
  });
  const release = options.ownsConsole === true ? captureConsole(logging.logger) : () => {};
  for (const warning of [...secrets.warnings, ...settings.warnings]) logging.logger.warn(warning);
  return { logging, redactor, release, flush: async () => writer?.flush() };
}

function openDoors(settings: ServerSettings, { maxStreams, maxBodyBytes }: ComposeBounds = {}): Doors {
  const { publicUrl, trustedHosts, allowedOrigins } = settings.environment;
  const credentials = () => settings.credentials;
  return createDoors({ credentials, publicUrl, trustedHosts, allowedOrigins, maxStreams, maxBodyBytes });
}

function sayReconciled({ reconciled }: AgentCore, { logger }: Logging): void {
  const { failed, resumed, parked } = reconciled;
  if (failed + resumed + parked === 0) return;
  logger.info(`after the restart: ${failed} tasks failed, ${resumed} go on, ${parked} wait for a person`);
}

/**
 * Composes and starts a service; it answers when this resolves.
 * @throws StartupError for what its operator can do something about
 */
export async function compose(live: LiveSettings, options: ComposeOptions = {}): Promise<ComposedService> {
  const { settings } = live;
  const refused = checkBind({
    host: settings.bind.host,
    credentials: settings.credentials,
    allowOpen: settings.environment.allowOpen,
  });
  if (refused !== undefined) throw refused;
  const running: RunningCore = {};
  const secrets = options.secrets ?? serviceSecrets({ ...settings.secretsManager, enabled: false }, {});
  const log = openLog(settings, options, { running, secrets });
  const { logging } = log;
  const doors = openDoors(settings, options.bounds);
  const warn = (message: string): void => logging.logger.warn(message);
  const clock = options.clock ?? systemClock();
  const models = composeModels(settings, {
    warn,
    subscriptions: createSubscriptions({ clock, warn, save: (id, credential) => saveCredential(live, id, credential) }),
    explain: (id) => explainConnection(settings, id, secrets.manager.status().vars),
  });
  const metrics = openMetrics(settings, doors, () => running.core);
  try {
    const { store: given = openServiceStore } = options;
    const store = typeof given === "object" ? given : given(settings, { maxBytes: options.bounds?.storeMaxBytes });
    const changed = (): void => busOf(running).publish("config.changed", { keys: ["soul"] });
    const soul = openPersonaFile({ file: settings.paths.soulFile, warn, changed });
    const persona = derive(() => [settings.identity, soul.text()], personaText);
    const { threads } = store;
    const { redactor } = log;
    const lookedUp = { redactor, core: () => running.core };
    const observation = composeObservation(settings, { logging, clock, models, threads, persona, ...lookedUp });
    const redact = (text: string): string => redactor.text(text);
    const { failpoints, tools: further } = options;
    const board = composeBoard(settings, { clock, threads, redact, failpoints, bus: () => running.core?.bus });
    const beside = composeBackground(settings, { clock, warn });
    const { delegations } = beside;
    const tools = serviceTools({ live, core: () => running.core, board: board.board, delegations, further });
    const core = await openCore(
      settings,
      { store, models, metrics, log, observation, persona, tools, beside, running },
      options,
    );
    running.core = core;
    sayReconciled(core, logging);
    logTurns(core, logging.logger);
    const background = await beside.openJobs(core);
    running.background = background;
    const { onMisfit, bounds, consoleDirectory } = options;
    const parts = { core, models, metrics, doors, log, secrets, observation, board, onMisfit, persona: soul, tools };
    return await serve(live, { ...parts, background, keepAliveMs: bounds?.keepAliveMs, consoleDirectory, clock });
  } catch (error) {
    secrets.manager.stop();
    await running.background?.close();
    await running.core?.stop({ graceMs: 0 });
    await models.close();
    log.release();
    throw storeError(error);
  }
}

interface ServiceParts {
  readonly core: AgentCore;
  readonly background: BackgroundJobs;
  readonly models: ComposedModels;
  readonly metrics: Metrics;
  readonly doors: Doors;
  readonly log: ServiceLog;
  readonly secrets: ServiceSecrets;
  readonly persona: PersonaFile;
  readonly observation: Observation;
  readonly board: ComposedBoard;
  readonly tools: readonly ToolGroup[];
  readonly onMisfit: ((misfit: string) => void) | undefined;
  readonly keepAliveMs: number | undefined;
  readonly consoleDirectory: string | undefined;
  readonly clock: Clock;
}

async function serve(live: LiveSettings, parts: ServiceParts): Promise<ComposedService> {
  const { settings } = live;
  const { core, models, doors, log, secrets } = parts;
  const { logger } = log.logging;
  const state = { draining: false, address: "" };
  const redact = (text: string): string => log.redactor.text(text);
  const routes = serviceRoutes({
    ...parts,
    board: parts.board.service,
    live,
    settings,
    logging: log.logging,
    state,
    redact,
  });
  const app = mountRoutes(routes, doors, logger, notingRefusals(logger, withErrorObject));
  const fetch: ListenOptions["fetch"] = (request, bindings) => app.fetch(request, bindings);
  const listener = await listen({
    ...settings.bind,
    fetch,
    refusesUpgrade: (incoming) => refusesUpgrade(doors, incoming),
    log: logger,
  });
  const { allowedOrigins } = settings.environment;
  for (const warning of doorWarnings(doors, { host: settings.bind.host, allowedOrigins })) logger.warn(warning);
  state.address = advertisedAddress(settings, listener);
  const unfollow = followChanges(live, log.logging, { clock: parts.clock, persona: parts.persona });
  const detach = followSecrets(secrets, live, logger);
  const untell = tellSettings(live, core.bus);
  const unbind = live.subscribe(() => core.service.runner.queue.boundsChanged());

  return {
    core,
    background: parts.background,
    url: listener.url,
    port: listener.port,
    routes,
    banner: settings.environment.logFormat === "json" ? "" : bannerOf(settings, models, core, listener.url),
    log: logger,
    stopAccepting() {
      state.draining = true;
      core.service.close();
      listener.stopAccepting();
    },
    async drain(ms) {
      await parts.background.close();
      await core.stop({ graceMs: ms });
      await parts.observation.close();
      await parts.board.close();
    },
    async close() {
      unfollow();
      detach();
      untell();
      unbind();
      await listener.close({ graceMs: 1_000 });
      await models.close();
      log.release();
    },
    flush: () => log.flush(),
  };
}

function bannerOf(settings: ServerSettings, models: ComposedModels, core: AgentCore, url: string): string {
  return banner({
    version: packageVersion(),
    url,
    ui: settings.ui,
    model: { name: models.leadName, scripted: models.leadIsScripted },
    store: { location: core.db.description, durable: core.db.durable },
    access: accessOf(settings),
    configFile: settings.paths.configFile,
  });
}

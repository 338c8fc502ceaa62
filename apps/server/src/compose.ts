/**
 * The only wiring (house.md): settings in, a service out. Order matters: nothing listens before the store is open and
 * every task a former process left has an owner or an end (rulings A18, R12).
 */
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type AgentCardInput, cardResponse, hybridCard } from "@agent-service/a2a-protocol";
import { createJsonRpcEndpoint } from "@agent-service/a2a-protocol/server";
import {
  type AgentCore,
  type AnyTool,
  createAgentCore,
  createRedactor,
  DatabaseError,
  type Failpoints,
  generalTools,
  type Redactor,
} from "@agent-service/agent-core";
import { coreExecutor, DECLARED_EXTENSIONS, type ServedSkill } from "./a2a/index.ts";
import { banner, packageVersion, type StartedService, StartupError } from "./cli/index.ts";
import { type ComposedModels, composeModels } from "./compose-models.ts";
import { consoleRoute } from "./console/index.ts";
import { healthRoute } from "./health/index.ts";
import { checkBind, createDoors, doorWarnings, isOpen, listen, mountRoutes, type Route } from "./http/index.ts";
import { createLineWriter, createLogging, type Logging } from "./logging/index.ts";
import { addProcessMetrics, createMetrics, feedMetrics, type Metrics, metricsRoute } from "./metrics/index.ts";
import type { ServerSettings } from "./sections/index.ts";

/** What a composition may be given beyond its settings. */
export interface ComposeOptions {
  /** Further tools, after the service's own. */
  readonly tools?: readonly AnyTool[];
  /** For tests only. */
  readonly failpoints?: Failpoints;
  /** Where log lines go. Default: standard output. */
  readonly write?: (line: string) => void;
}

/** A service that listens. */
export interface ComposedService extends StartedService {
  readonly core: AgentCore;
  /** `http://` base of the bound address. */
  readonly url: string;
  readonly port: number;
}

/** The console as it lies beside the sources of a checkout, or inside the published package. */
function consoleDirectory(): string {
  const packaged = fileURLToPath(new URL("../console", import.meta.url));
  return existsSync(packaged) ? packaged : fileURLToPath(new URL("../../console/dist", import.meta.url));
}

function storeUrl({ checkpoint }: ServerSettings): string {
  const path = checkpoint.db_path;
  if (path === "") return ":memory:";
  if (/^(libsql|https?):\/\//.test(path)) return path;
  mkdirSync(dirname(path), { recursive: true });
  return `file:${path}`;
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

function openCore(
  settings: ServerSettings,
  parts: { models: ComposedModels; metrics: Metrics; logging: Logging },
  options: ComposeOptions,
): Promise<AgentCore> {
  const { models, metrics, logging } = parts;
  const { logger } = logging;
  return createAgentCore({
    store: storeUrl(settings),
    model: models.choose,
    persona: personaOf(settings),
    tools: [...generalTools(), ...(options.tools ?? [])],
    limits: {
      maxIterations: settings.model.max_iterations,
      ...(settings.model.round_hard_cap === undefined ? {} : { roundHardCap: settings.model.round_hard_cap }),
    },
    onRestart: settings.checkpoint.on_restart,
    retention: { retentionDays: settings.journal.retention_days, conversationDays: settings.checkpoint.max_age_days },
    log: { info: (message) => logger.info(message), warn: (message) => logger.warn(message) },
    onCommit: (_view, events) => feedMetrics(metrics, events),
    onFatal: (error) => {
      // Crash-only: what was committed is safe, and the next start knows what to do with the rest.
      logger.error({ err: error }, "the engine cannot go on");
      setImmediate(() => process.exit(1));
    },
    owner: `${settings.identity.name} (agent-service ${packageVersion()})`,
    ...(options.failpoints === undefined ? {} : { failpoints: options.failpoints }),
  });
}

/** Byte-stable between calls: no times, no ids. */
function personaOf({ identity }: ServerSettings): string {
  const works = [identity.operator, identity.org].filter((text) => text !== "").join(", ");
  return [
    `You are ${identity.name}, an autonomous agent${works === "" ? "" : ` working for ${works}`}.`,
    "Use your tools where they help; ask a person when a decision is theirs to make.",
    "Answer in the language you are addressed in.",
  ].join("\n");
}

function cardInput(settings: ServerSettings): AgentCardInput {
  const { identity, a2a, credentials, environment } = settings;
  const described = a2a.skills.map(({ id, name, description, tags, examples, result_mime }) => ({
    id,
    name,
    description,
    tags,
    examples,
    ...(result_mime === undefined ? {} : { outputModes: [result_mime] }),
  }));
  const chat = {
    id: "chat",
    name: "Chat",
    description: "Takes a request in plain language and works on it.",
    tags: ["chat"],
  };
  return {
    name: identity.name,
    description: a2a.description,
    version: packageVersion(),
    skills: described.length > 0 ? described : [chat],
    extensions: DECLARED_EXTENSIONS,
    security: {
      bearer: credentials.bearer !== undefined,
      ...(environment.apiKey === undefined ? {} : { apiKeyHeader: "X-API-Key" }),
    },
  };
}

function servedSkills({ a2a }: ServerSettings): ServedSkill[] {
  return a2a.skills.map(({ id, result_mime, output_schema }) =>
    output_schema === undefined
      ? { id }
      : { id, structured: { id, resultMime: result_mime ?? "application/json", outputSchema: output_schema } },
  );
}

interface RouteParts {
  readonly settings: ServerSettings;
  readonly core: AgentCore;
  readonly logging: Logging;
  readonly metrics: Metrics;
  readonly models: ComposedModels;
  readonly state: { draining: boolean; address: string };
}

function routes({ settings, core, logging, metrics, models, state }: RouteParts): Route[] {
  const input = cardInput(settings);
  const startedAt = Date.now();
  const skills = servedSkills(settings);
  let card: { address: string; card: ReturnType<typeof hybridCard> } | undefined;
  const currentCard = () => {
    if (card?.address !== state.address) card = { address: state.address, card: hybridCard(input, state.address) };
    return card.card;
  };
  const endpoint = createJsonRpcEndpoint({
    executor: coreExecutor({ tasks: core.service, skills: () => skills }),
    card: currentCard,
    onError: (error, errorId) => logging.logger.error({ err: error, error_id: errorId }, "an A2A request failed"),
  });
  return [
    {
      method: "GET",
      path: ["/.well-known/agent-card.json", "/.well-known/agent.json"],
      tier: "public",
      summary: "Tells what this agent is and how to reach it",
      handler: (request) => cardResponse(request, currentCard(), { lastModified: startedAt }),
    },
    {
      method: "POST",
      path: ["/a2a", "/a2a/"],
      tier: "agent",
      a2a: true,
      summary: "The agent, over A2A JSON-RPC",
      handler: (request, call) => endpoint(request, call.caller, () => call.admitStream()),
    },
    healthRoute(() => ({
      ready: true,
      draining: state.draining,
      setupComplete: settings.setup.complete,
      ui: settings.ui,
      model: models.leadName,
    })),
    metricsRoute(() => metrics.render()),
    consoleRoute({ ui: settings.ui, directory: consoleDirectory() }),
  ];
}

function accessOf(settings: ServerSettings): "token" | "open-loopback" | "open-network" {
  if (!isOpen(settings.credentials)) return "token";
  return checkBind({ ...settings.bind, credentials: settings.credentials, allowOpen: false }) === undefined
    ? "open-loopback"
    : "open-network";
}

/**
 * Composes and starts a service; it answers when this resolves.
 * @throws StartupError for what its operator can do something about
 */
export async function compose(settings: ServerSettings, options: ComposeOptions = {}): Promise<ComposedService> {
  const refused = checkBind({
    host: settings.bind.host,
    credentials: settings.credentials,
    allowOpen: settings.environment.allowOpen,
  });
  if (refused !== undefined) throw refused;
  const redactor: Redactor = createRedactor({ secrets: () => settings.secrets });
  const writer = createLineWriter(process.stdout);
  const logging = createLogging({
    level: settings.environment.logLevel,
    format: settings.environment.logFormat,
    redact: (text) => redactor.text(text),
    write: options.write ?? ((line) => writer.write(line)),
  });
  const { logger } = logging;
  for (const warning of settings.warnings) logger.warn(warning);

  const models = composeModels(settings);
  let core: AgentCore | undefined;
  const metrics = createMetrics(settings.environment.agentName, { activeSessions: () => core?.load().running ?? 0 });
  addProcessMetrics(metrics.registry);
  try {
    core = await openCore(settings, { models, metrics, logging }, options);
  } catch (error) {
    await models.close();
    throw storeError(error);
  }
  const opened = core;
  const { failed, resumed, parked } = opened.reconciled;
  if (failed + resumed + parked > 0) {
    logger.info(`after the restart: ${failed} tasks failed, ${resumed} go on, ${parked} wait for a person`);
  }

  const doors = createDoors({
    credentials: () => settings.credentials,
    publicUrl: settings.environment.publicUrl,
    trustedHosts: settings.environment.trustedHosts,
    allowedOrigins: settings.environment.allowedOrigins,
  });
  const { allowedOrigins } = settings.environment;
  for (const warning of doorWarnings(doors, { host: settings.bind.host, allowedOrigins })) logger.warn(warning);
  const state = { draining: false, address: "" };
  const app = mountRoutes(routes({ settings, core: opened, logging, metrics, models, state }), doors, logger);
  const listener = await listen({
    ...settings.bind,
    fetch: (request, bindings) => app.fetch(request, bindings),
    log: logger,
  }).catch(async (error: unknown) => {
    await opened.stop({ graceMs: 0 });
    await models.close();
    throw error;
  });
  state.address = `${settings.environment.publicUrl ?? `http://127.0.0.1:${listener.port}`}/a2a`;

  return {
    core: opened,
    url: listener.url,
    port: listener.port,
    banner: settings.environment.logFormat === "json" ? "" : bannerOf(settings, models, opened, listener.url),
    log: logger,
    stopAccepting() {
      state.draining = true;
      opened.service.close();
      listener.stopAccepting();
    },
    drain: (ms) => opened.stop({ graceMs: ms }),
    async close() {
      await listener.close({ graceMs: 1_000 });
      await models.close();
    },
    flush: () => writer.flush(),
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

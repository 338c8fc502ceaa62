/**
 * Starts a service from settings, in phases: access → log → models → engine with its features → routes → socket. Nothing
 * listens before the store is open and every task a former process left has an owner or an end (A18, R12).
 */
import {
  type AnyTool,
  type Clock,
  createAgentCore,
  type Failpoints,
  type OpeningStore,
  probeSandbox,
  type SandboxState,
  safePath,
  systemClock,
} from "@agent-service/agent-core/host";
import { checkBind, createAccessControl, type ReadSocketTables } from "./access/index.ts";
import { endProcess, packageVersion } from "./cli/index.ts";
import { composeFeatures, type ServiceCore } from "./compose-features.ts";
import { type EngineBounds, engineOptions, storeError } from "./engine/index.ts";
import { openLog } from "./logging/index.ts";
import { composeModels, createSubscriptions, saveCredential } from "./model-layer/index.ts";
import { openPersonaFile, personaText } from "./persona/index.ts";
import { knownSecrets, type ServiceSecrets, serviceSecrets } from "./secrets/index.ts";
import type { ServiceHost } from "./service-feature/index.ts";
import { derive, explainConnection, type LiveSettings, type ServerSettings } from "./settings/index.ts";
import { openServiceStore, storeLocation } from "./store/index.ts";
import { addProcessMetrics, createMetrics } from "./surfaces/metrics/index.ts";
import { type ServedEngine, type ServedParts, serve } from "./surfaces/serve.ts";

/** Bounds of a service; each has its default unless given. */
export interface ComposeBounds extends EngineBounds {
  /** Streams open at once (S7). */
  readonly maxStreams?: number;
  /** Bytes of request bodies that are read at once. */
  readonly maxBodyBytes?: number;
  /** Bytes the store may take, whatever room the disk has. Default: the disk's. */
  readonly storeMaxBytes?: number;
  /** Silence before a stream or a waiting reply sends something, in milliseconds (A6, A10). */
  readonly keepAliveMs?: number;
}

/** Options besides the settings. */
export interface ComposeOptions extends Partial<Pick<ServedParts, "onMisfit" | "consoleDirectory">> {
  /** Further tools, after the service's own. */
  readonly tools?: readonly AnyTool[];
  /** The store, if it is being opened already, or a function that opens it. Default: what `openServiceStore` opens. */
  readonly store?: OpeningStore | typeof openServiceStore;
  /** The source of the settings' variables, if it may include a secrets manager. */
  readonly secrets?: ServiceSecrets;
  /** For tests only. */
  readonly failpoints?: Failpoints;
  /** For tests only: the engine's time. */
  readonly clock?: Clock;
  /** For tests only: the time of webhooks, where it is not the engine's. */
  readonly webhookClock?: Clock;
  /** For tests only: the kernel's tables of connections. */
  readonly readTables?: ReadSocketTables;
  /** Where log lines go. Default: standard output. */
  readonly write?: (line: string) => void;
  /** The process belongs to the service: the output of its dependencies goes into the log (S5), until it closes. */
  readonly ownsConsole?: boolean;
  /** Ends the process when the engine cannot continue. Default: `endProcess`. */
  readonly exit?: (code: number) => void;
  /** Smaller bounds than those of the specification, so that tests can reach them. */
  readonly bounds?: ComposeBounds;
}

/** Where the agent may write: nothing there counts as the system's. */
function folders({ fence }: ServerSettings): readonly string[] {
  return fence.projects.map(({ path }) => path);
}

/** A listening service. */
export interface ComposedService extends ServedEngine {
  readonly core: ServiceCore;
}

function checkAccess({ bind, credentials, environment }: ServerSettings): void {
  const refused = checkBind({ host: bind.host, credentials, allowOpen: environment.allowOpen });
  if (refused !== undefined) throw refused;
}

/**
 * Composes and starts a service; it answers when this resolves.
 * @throws StartupError for what an operator can fix
 */
export async function compose(live: LiveSettings, options: ComposeOptions = {}): Promise<ComposedService> {
  const { settings } = live;
  checkAccess(settings);
  const { bounds = {}, exit = endProcess, store: given = openServiceStore, failpoints } = options;
  const clock = options.clock ?? systemClock();
  const secrets = options.secrets ?? serviceSecrets({ ...settings.secrets_manager, enabled: false }, {});
  const log = openLog({
    environment: settings.environment,
    secrets: knownSecrets(settings, secrets),
    warnings: [...secrets.warnings, ...settings.warnings],
    ...{ write: options.write, ownsConsole: options.ownsConsole },
  });
  const { logging, redactor, webhookSecrets } = log;
  const warn = (message: string): void => logging.logger.warn(message);
  const { publicUrl, trustedHosts, allowedOrigins, allowOpen } = settings.environment;
  const credentials = () => settings.credentials;
  const access = createAccessControl({
    ...{ credentials, publicUrl, trustedHosts, allowedOrigins, allowOpen, readTables: options.readTables },
    ...bounds,
  });
  const models = composeModels(settings, {
    ...{ clock, warn },
    debug: logging.debug,
    subscriptions: createSubscriptions({ clock, warn, save: (id, credential) => saveCredential(live, id, credential) }),
    explain: (id) => explainConnection(settings, id, secrets.manager.status().vars),
  });
  const metrics = createMetrics(settings.environment.agentName);
  addProcessMetrics(metrics.registry);
  let core: ServiceCore | undefined;
  let sandbox: SandboxState | undefined;
  const probing = probeSandbox(safePath(process.env.PATH, folders(settings)));
  try {
    const personaFile = openPersonaFile({ file: settings.paths.soulFile, warn });
    const answering = Promise.withResolvers<void>();
    const host: ServiceHost = {
      ...{ live, settings, clock, logging, redactor, models, metrics, secrets, webhookSecrets, personaFile },
      webhookClock: options.webhookClock,
      persona: derive(() => [settings.identity, personaFile.text()], personaText),
      keepAliveMs: bounds.keepAliveMs,
      version: packageVersion(),
      answering: answering.promise,
      sandbox: () => sandbox,
      tools: options.tools ?? [],
    };
    const features = composeFeatures(host);
    const store = typeof given === "object" ? given : given(settings, { maxBytes: bounds.storeMaxBytes });
    const { warning } = storeLocation(settings);
    if (warning !== undefined) warn(warning);
    const onFatal = (error: unknown): void => {
      // Crash-only: what was committed is safe, and the next start reconciles the rest.
      logging.logger.error({ err: error }, "the engine cannot continue");
      void log.flush().finally(() => exit(1));
    };
    sandbox = await probing;
    core = await createAgentCore({
      ...engineOptions(host, { bounds, store, failpoints, onFatal }),
      features: features.engine,
    });
    const running = features.running(core);
    const services = features.services(running);
    const { onMisfit, consoleDirectory } = options;
    const served = await serve({
      ...{ host: running, services, flags: () => features.flags(), access, log, onMisfit, consoleDirectory },
    });
    answering.resolve();
    return { ...served, core };
  } catch (error) {
    secrets.manager.stop();
    await core?.stop({ graceMs: 0 });
    await models.close();
    log.release();
    throw storeError(error);
  }
}

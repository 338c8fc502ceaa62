/**
 * Starts a service from settings, in phases: access → log → models → engine with its features → routes → socket. Nothing
 * listens before the store is open and every task a former process left has an owner or an end (rulings A18, R12).
 */
import { systemClock } from "@agent-service/agent-core";
import { endProcess, packageVersion, type StartedService } from "./cli/index.ts";
import { composeFeatures, type ServiceCore } from "./compose-features.ts";
import type { ComposeOptions } from "./compose-options.ts";
import { checkBind, createDoors, type Route } from "./http/index.ts";
import { addProcessMetrics, createMetrics } from "./metrics/index.ts";
import { composeModels, createSubscriptions, saveCredential } from "./model-layer/index.ts";
import { openCore, storeError } from "./open-core.ts";
import { openLog } from "./open-log.ts";
import { openPersonaFile, personaText } from "./persona/index.ts";
import { serviceSecrets } from "./secrets/index.ts";
import { derive, explainConnection, type LiveSettings, type ServerSettings } from "./sections/index.ts";
import { serve } from "./serve.ts";
import type { ServiceHost } from "./service-feature/index.ts";
import { openServiceStore, storePlace } from "./store/index.ts";

export type { ComposeBounds } from "./compose-limits.ts";
export type { ComposeOptions } from "./compose-options.ts";

/** A service that listens. */
export interface ComposedService extends StartedService {
  readonly core: ServiceCore;
  /** `http://` base of the bound address. */
  readonly url: string;
  readonly port: number;
  /** What is mounted. */
  readonly routes: readonly Route[];
}

function checkAccess({ bind, credentials, environment }: ServerSettings): void {
  const refused = checkBind({ host: bind.host, credentials, allowOpen: environment.allowOpen });
  if (refused !== undefined) throw refused;
}

/**
 * Composes and starts a service; it answers when this resolves.
 * @throws StartupError for what its operator can do something about
 */
export async function compose(live: LiveSettings, options: ComposeOptions = {}): Promise<ComposedService> {
  const { settings } = live;
  checkAccess(settings);
  const { bounds = {}, exit = endProcess, store: given = openServiceStore, failpoints } = options;
  const clock = options.clock ?? systemClock();
  const secrets = options.secrets ?? serviceSecrets({ ...settings.secretsManager, enabled: false }, {});
  const log = openLog(settings, secrets, options);
  const { logging, redactor, webhookSecrets } = log;
  const warn = (message: string): void => logging.logger.warn(message);
  const { publicUrl, trustedHosts, allowedOrigins } = settings.environment;
  const credentials = () => settings.credentials;
  const doors = createDoors({ credentials, publicUrl, trustedHosts, allowedOrigins, ...bounds });
  const models = composeModels(settings, {
    warn,
    subscriptions: createSubscriptions({ clock, warn, save: (id, credential) => saveCredential(live, id, credential) }),
    explain: (id) => explainConnection(settings, id, secrets.manager.status().vars),
  });
  const metrics = createMetrics(settings.environment.agentName);
  addProcessMetrics(metrics.registry);
  let core: ServiceCore | undefined;
  try {
    const soul = openPersonaFile({ file: settings.paths.soulFile, warn });
    const host: ServiceHost = {
      ...{ live, settings, clock, logging, redactor, models, metrics, secrets, webhookSecrets },
      webhookClock: options.webhookClock,
      persona: derive(() => [settings.identity, soul.text()], personaText),
      version: packageVersion(),
      tools: options.tools ?? [],
    };
    const features = composeFeatures(host);
    const store = typeof given === "object" ? given : given(settings, { maxBytes: bounds.storeMaxBytes });
    const { warning } = storePlace(settings);
    if (warning !== undefined) warn(warning);
    const onFatal = (error: unknown): void => {
      // Crash-only: what was committed is safe, and the next start knows what to do with the rest.
      logging.logger.error({ err: error }, "the engine cannot go on");
      void log.flush().finally(() => exit(1));
    };
    core = await openCore({ host, features, store, bounds, failpoints, onFatal });
    return await serve({ host, core, features, doors, log, soul, options });
  } catch (error) {
    secrets.manager.stop();
    await core?.stop({ graceMs: 0 });
    await models.close();
    log.release();
    throw storeError(error);
  }
}

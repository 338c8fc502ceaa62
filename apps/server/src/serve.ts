/** Opens the socket of a composed engine, and closes everything in its order. */
import { banner, packageVersion } from "./cli/index.ts";
import type { ComposedService } from "./compose.ts";
import { advertisedAddress } from "./compose-card.ts";
import { publishSettings } from "./compose-events.ts";
import type { ComposedFeatures, ServiceCore } from "./compose-features.ts";
import type { ComposeOptions } from "./compose-options.ts";
import { followChanges } from "./compose-reload.ts";
import { serviceRoutes } from "./compose-routes.ts";
import {
  checkBind,
  type Doors,
  doorWarnings,
  isOpen,
  listen,
  mountRoutes,
  notingRefusals,
  refusesUpgrade,
} from "./http/index.ts";
import type { ServiceLog } from "./open-log.ts";
import { withErrorObject } from "./openai/index.ts";
import type { PersonaFile } from "./persona/index.ts";
import { followSecrets } from "./secrets/index.ts";
import type { ServerSettings } from "./sections/index.ts";
import type { ServiceHost } from "./service-feature/index.ts";

/** What is served. */
export interface ServedParts {
  readonly host: ServiceHost;
  readonly core: ServiceCore;
  readonly features: ComposedFeatures;
  readonly doors: Doors;
  readonly log: ServiceLog;
  readonly soul: PersonaFile;
  readonly options: ComposeOptions;
}

function accessOf(settings: ServerSettings): "token" | "open-loopback" | "open-network" {
  if (!isOpen(settings.credentials)) return "token";
  return checkBind({ ...settings.bind, credentials: settings.credentials, allowOpen: false }) === undefined
    ? "open-loopback"
    : "open-network";
}

function bannerOf({ settings, models }: ServiceHost, core: ServiceCore, url: string): string {
  if (settings.environment.logFormat === "json") return "";
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

function logReconciled({ reconciled }: ServiceCore, { logging }: ServiceHost): void {
  const { failed, resumed, parked } = reconciled;
  if (failed + resumed + parked === 0) return;
  logging.logger.info(`after the restart: ${failed} tasks failed, ${resumed} go on, ${parked} wait for a person`);
}

/** Mounts the routes and listens. */
export async function serve({
  host,
  core,
  features,
  doors,
  log,
  soul,
  options,
}: ServedParts): Promise<ComposedService> {
  const { live, settings, models, metrics, secrets, clock, logging } = host;
  const { logger } = logging;
  logReconciled(core, host);
  const state = { draining: false, address: "" };
  const { onMisfit, bounds = {}, consoleDirectory } = options;
  metrics.registry.observed(
    { name: metrics.metricName("open_streams"), help: "Event streams open now.", type: "gauge" },
    () => doors.streams.open,
  );
  const routes = serviceRoutes({
    ...{ host, core, features, doors, state, soul, onMisfit, consoleDirectory },
    keepAliveMs: bounds.keepAliveMs,
  });
  const app = mountRoutes(routes, doors, logger, notingRefusals(logger, withErrorObject));
  const listener = await listen({
    ...settings.bind,
    fetch: (request, bindings) => app.fetch(request, bindings),
    refusesUpgrade: (incoming) => refusesUpgrade(doors, incoming),
    log: logger,
  });
  const { allowedOrigins } = settings.environment;
  for (const warning of doorWarnings(doors, { host: settings.bind.host, allowedOrigins })) logger.warn(warning);
  state.address = advertisedAddress(settings, listener);
  const stopFollowing = [
    followChanges(live, logging, { clock, persona: soul }),
    followSecrets(secrets, live, logger),
    publishSettings(live, core.bus),
    live.subscribe(() => core.service.runner.queue.boundsChanged()),
    soul.subscribe(() => core.bus.publish("config.changed", { keys: ["soul"] })),
  ];
  return {
    core,
    url: listener.url,
    port: listener.port,
    routes,
    banner: bannerOf(host, core, listener.url),
    log: logger,
    stopAccepting() {
      state.draining = true;
      core.service.close();
      listener.stopAccepting();
    },
    drain: (ms) => core.stop({ graceMs: ms }),
    async close() {
      for (const stop of stopFollowing) stop();
      await listener.close({ graceMs: 1_000 });
      await models.close();
      log.release();
    },
    flush: () => log.flush(),
  };
}

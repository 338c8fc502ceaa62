/** Opens the socket of a composed engine, and closes everything in its order. */
import {
  accessWarnings,
  checkBind,
  isOpen,
  listen,
  loggingRefusals,
  mountRoutes,
  type Route,
  refusesUpgrade,
} from "../access/index.ts";
import { banner, type StartedService } from "../cli/index.ts";
import type { ServiceLog } from "../logging/index.ts";
import { followSecrets } from "../secrets/index.ts";
import type { RunningHost } from "../service-feature/index.ts";
import { followChanges, publishSettings, type ServerSettings } from "../settings/index.ts";
import { advertisedAddress } from "./a2a/index.ts";
import { withErrorObject } from "./openai/index.ts";
import { type RouteParts, serviceRoutes } from "./routes.ts";

export interface ServedParts extends Omit<RouteParts, "state"> {
  readonly log: ServiceLog;
}

export interface ServedEngine extends StartedService {
  /** `http://` base of the bound address. */
  readonly url: string;
  readonly port: number;
  readonly routes: readonly Route[];
}

function accessOf(settings: ServerSettings): "token" | "open-loopback" | "open-network" {
  if (!isOpen(settings.credentials)) return "token";
  return checkBind({ ...settings.bind, credentials: settings.credentials, allowOpen: false }) === undefined
    ? "open-loopback"
    : "open-network";
}

function bannerOf({ settings, models, core, version }: RunningHost, url: string): string {
  if (settings.environment.logFormat === "json") return "";
  return banner({
    version,
    url,
    ui: settings.ui,
    model: { name: models.leadName, scripted: models.leadIsScripted },
    store: { location: core.db.description, durable: core.db.durable },
    access: accessOf(settings),
    configFile: settings.paths.configFile,
  });
}

function logReconciled({ core: { reconciled }, logging }: RunningHost): void {
  const { failed, resumed, parked } = reconciled;
  if (failed + resumed + parked === 0) return;
  logging.logger.info(`after the restart: ${failed} tasks failed, ${resumed} continue, ${parked} wait for a person`);
}

export async function serve({ log, ...parts }: ServedParts): Promise<ServedEngine> {
  const { host, access } = parts;
  const { live, settings, core, models, metrics, secrets, clock, logging, personaFile } = host;
  const { logger } = logging;
  logReconciled(host);
  const state = { draining: false, address: "" };
  metrics.registry.observed(
    { name: metrics.metricName("open_streams"), help: "Event streams open now.", type: "gauge" },
    () => access.streams.open,
  );
  const routes = serviceRoutes({ ...parts, state });
  const app = mountRoutes(routes, access, logger, loggingRefusals(logger, withErrorObject));
  const listener = await listen({
    ...settings.bind,
    fetch: (request, bindings) => app.fetch(request, bindings),
    refusesUpgrade: (incoming) => refusesUpgrade(access, incoming),
    log: logger,
  });
  const { allowedOrigins } = settings.environment;
  for (const warning of accessWarnings(access, { host: settings.bind.host, allowedOrigins })) logger.warn(warning);
  state.address = advertisedAddress(settings, listener);
  const stopFollowing = [
    followChanges(live, logging, { clock, persona: personaFile }),
    followSecrets(secrets, live, logger),
    publishSettings(live, core.bus),
    live.subscribe(() => core.service.runner.queue.boundsChanged()),
    personaFile.subscribe(() => core.bus.publish("config.changed", { keys: ["soul"] })),
  ];
  return {
    url: listener.url,
    port: listener.port,
    routes,
    banner: bannerOf(host, listener.url),
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

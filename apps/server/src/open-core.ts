/** The engine, from settings. */
import { createAgentCore, DatabaseError, type Failpoints, type OpeningStore } from "@agent-service/agent-core";
import { StartupError } from "./cli/index.ts";
import type { ComposedFeatures, ServiceCore } from "./compose-features.ts";
import { type ComposeBounds, engineBounds } from "./compose-limits.ts";
import { contextSettings } from "./model-layer/index.ts";
import { derive, type ServerSettings } from "./sections/index.ts";
import type { ServiceHost } from "./service-feature/index.ts";
import { enforcementSettings, toolPolicy } from "./tool-settings.ts";

/** What the engine is made of, beside its settings. */
export interface CoreParts {
  readonly host: ServiceHost;
  readonly features: ComposedFeatures;
  readonly store: OpeningStore;
  readonly bounds: ComposeBounds;
  readonly failpoints: Failpoints | undefined;
  /** Called when the engine cannot go on. */
  readonly onFatal: (error: unknown) => void;
}

/** Opens the engine with the service's features. @throws DatabaseError where the store cannot be used */
export async function openCore({
  host,
  features,
  store,
  bounds,
  failpoints,
  onFatal,
}: CoreParts): Promise<ServiceCore> {
  const { settings, models, logging, redactor, clock, persona } = host;
  return createAgentCore({
    store,
    features: features.engine,
    settings: ({ name }) => settings.loaded.values[name as keyof ServerSettings["loaded"]["values"]],
    ...engineBounds(settings, bounds),
    model: models.choose,
    persona,
    context: derive(() => [settings.pruning, settings.compaction], contextSettings),
    toolPolicy: toolPolicy(settings),
    enforcement: enforcementSettings(settings),
    onRestart: settings.checkpoint.on_restart,
    redactor,
    log: { info: (message) => logging.logger.info(message), warn: (message) => logging.logger.warn(message) },
    onFatal,
    owner: `${settings.identity.name} (agent-service ${host.version})`,
    ...(failpoints === undefined ? {} : { failpoints }),
    clock,
  });
}

/** An error of the store as its operator reads it; any other unchanged. */
export function storeError(error: unknown): unknown {
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

import type { AgentCoreOptions } from "@agent-service/agent-core/host";
import { contextSettings } from "../model-layer/index.ts";
import type { ServiceHost } from "../service-feature/index.ts";
import { derive, type ServerSettings } from "../settings/index.ts";
import { type EngineBounds, engineBounds } from "./engine-bounds.ts";
import { enforcementSettings, toolPolicy } from "./tool-settings.ts";

export interface EngineParts extends Pick<AgentCoreOptions, "store" | "failpoints" | "onFatal"> {
  readonly bounds: EngineBounds;
}

/** The options of `createAgentCore`, without its features. */
export function engineOptions(host: ServiceHost, { bounds, failpoints, ...parts }: EngineParts): AgentCoreOptions {
  const { settings, models, logging, redactor, clock, persona } = host;
  return {
    ...parts,
    settings: ({ name }) => settings[name as keyof ServerSettings],
    ...engineBounds(settings, bounds),
    model: models.choose,
    persona,
    context: derive(() => [settings.pruning, settings.compaction], contextSettings),
    toolPolicy: toolPolicy(settings, host.sandbox),
    enforcement: enforcementSettings(settings),
    bypassAllowed: () => settings.filesystem.bypass_allowed,
    onRestart: settings.checkpoint.on_restart,
    redactor,
    log: {
      info: (message) => logging.logger.info(message),
      warn: (message) => logging.logger.warn(message),
      debug: logging.debug,
    },
    owner: `${settings.identity.name} (agent-service ${host.version})`,
    ...(failpoints === undefined ? {} : { failpoints }),
    clock,
  };
}

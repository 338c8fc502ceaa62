/** The route table (ruling S2): every path the service answers, who may use it, and what answers. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AgentCore, BackgroundJobs } from "@agent-service/agent-core";
import type { BoardService } from "@agent-service/operator-api";
import { a2aRoutes } from "./a2a-routes.ts";
import type { ComposedModels } from "./compose-models.ts";
import type { Observation } from "./compose-observation.ts";
import { consoleRoute } from "./console/index.ts";
import { healthRoute } from "./health/index.ts";
import type { Route } from "./http/index.ts";
import type { Logging } from "./logging/index.ts";
import { type Metrics, metricsRoute } from "./metrics/index.ts";
import type { ServiceSecrets } from "./open-secrets.ts";
import { openAIRoutes } from "./openai-routes.ts";
import type { ToolGroup } from "./operator/index.ts";
import { operatorRoutes } from "./operator-routes.ts";
import type { PersonaFile } from "./persona/index.ts";
import type { LiveSettings, ServerSettings } from "./sections/index.ts";

/** What the routes are over. */
export interface RouteParts {
  readonly live: LiveSettings;
  readonly settings: ServerSettings;
  readonly core: AgentCore;
  readonly logging: Logging;
  readonly metrics: Metrics;
  readonly models: ComposedModels;
  readonly secrets: ServiceSecrets;
  readonly persona: PersonaFile;
  readonly observation: Pick<Observation, "telemetry" | "prompts" | "webhooks">;
  readonly tools: readonly ToolGroup[];
  readonly board: BoardService;
  readonly background: BackgroundJobs;
  /** Read per request. `address` is the one the card advertises. */
  readonly state: { readonly draining: boolean; readonly address: string };
  /** Takes secrets out of a text (ruling S5). */
  readonly redact: (text: string) => string;
  /** For tests: told of every answer of the operator API that does not fit its schema (ruling O2). */
  readonly onMisfit?: ((misfit: string) => void) | undefined;
  /** Silence on a stream or a waiting reply before something is sent; default 15,000 ms (rulings A6, A10). */
  readonly keepAliveMs?: number | undefined;
  /** The folder with the built console; default: the package's own, or the one of the checkout. */
  readonly consoleDirectory?: string | undefined;
}

/** The console as it lies beside the sources of a checkout, or inside the published package. */
function builtConsole(): string {
  const packaged = fileURLToPath(new URL("../console", import.meta.url));
  return existsSync(packaged) ? packaged : fileURLToPath(new URL("../../console/dist", import.meta.url));
}

/** Builds the table. */
export function serviceRoutes(parts: RouteParts): readonly Route[] {
  const { settings, metrics, models, state } = parts;
  return [
    ...a2aRoutes(parts),
    ...openAIRoutes(parts),
    ...operatorRoutes(parts),
    healthRoute(() => ({
      ready: true,
      draining: state.draining,
      setupComplete: settings.setup.complete,
      ui: settings.ui,
      model: models.leadName,
    })),
    metricsRoute(() => metrics.render()),
    consoleRoute({ ui: settings.ui, directory: parts.consoleDirectory ?? builtConsole() }),
  ];
}

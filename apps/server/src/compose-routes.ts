/** The route table (ruling S2): every path the service answers, who may use it, and what answers. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { a2aRoutes } from "./a2a-routes.ts";
import { consoleRoute } from "./console/index.ts";
import { healthRoute } from "./health/index.ts";
import type { Doors, Route } from "./http/index.ts";
import { metricsRoute } from "./metrics/index.ts";
import { openAIRoutes } from "./openai-routes.ts";
import { type OperatorRouteParts, operatorRoutes } from "./operator-routes.ts";

/** What the routes are over. */
export interface RouteParts extends OperatorRouteParts {
  readonly doors: Doors;
  /** Read per request. `address` is the one the card advertises. */
  readonly state: { readonly draining: boolean; readonly address: string };
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
  const { host, core, doors, state, keepAliveMs } = parts;
  const { settings, metrics, models, logging } = host;
  return [
    ...a2aRoutes({ settings, core, logging, doors, state, keepAliveMs }),
    ...openAIRoutes({ settings, core, models, logging, keepAliveMs }),
    ...operatorRoutes(parts),
    healthRoute(() => ({
      ready: true,
      draining: state.draining,
      setupComplete: settings.setup.complete,
      ui: settings.ui,
      model: models.leadName,
      store: core.db.state,
    })),
    metricsRoute(() => metrics.render()),
    consoleRoute({ ui: settings.ui, directory: parts.consoleDirectory ?? builtConsole() }),
  ];
}

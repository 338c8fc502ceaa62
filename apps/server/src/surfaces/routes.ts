/** The route table (S2): every path the service answers, who may use it, and what answers. */
import type { AccessControl, Route } from "../access/index.ts";
import { a2aRoutes } from "./a2a/index.ts";
import { builtConsole, consoleRoute } from "./console/index.ts";
import { healthRoute } from "./health/index.ts";
import { clientDocumentRoute, mcpRoute } from "./mcp/index.ts";
import { metricsRoute } from "./metrics/index.ts";
import { openAIRoutes } from "./openai/index.ts";
import { type OperatorRouteParts, operatorApi, operatorRows } from "./operator/index.ts";
import { shareRoutes } from "./share/index.ts";

export interface RouteParts extends OperatorRouteParts {
  readonly access: AccessControl;
  /** Read per request. `address` is the one the card advertises. */
  readonly state: { readonly draining: boolean; readonly address: string };
  /** The folder with the built console; default: the package's own, or the one of the checkout. */
  readonly consoleDirectory?: string | undefined;
}

export function serviceRoutes(parts: RouteParts): readonly Route[] {
  const { host, access, state } = parts;
  const { settings, metrics, models, core } = host;
  const operations = operatorApi(parts);
  return [
    ...a2aRoutes({ host, access, state }),
    ...openAIRoutes(host),
    ...operatorRows(operations),
    mcpRoute({ host, operations }),
    clientDocumentRoute(() => settings.environment.publicUrl),
    healthRoute(() => ({
      ready: true,
      draining: state.draining,
      setupComplete: settings.setup.complete,
      ui: settings.ui,
      model: models.leadName,
      store: core.db.state,
    })),
    metricsRoute(() => metrics.render()),
    ...shareRoutes(host),
    consoleRoute({ ui: settings.ui, directory: parts.consoleDirectory ?? builtConsole() }),
  ];
}

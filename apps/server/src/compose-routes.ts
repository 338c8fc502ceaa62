/** The route table (ruling S2): every path the service answers, who may use it, and what answers. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CARD_PATHS, cardFor, cardResponse, hybridCard, V1_CARD_PATH, v1Card } from "@agent-service/a2a-protocol";
import { createJsonRpcEndpoint } from "@agent-service/a2a-protocol/server";
import type { AgentCore } from "@agent-service/agent-core";
import { coreExecutor } from "./a2a/index.ts";
import { cardInput, servedSkills } from "./compose-card.ts";
import type { ComposedModels } from "./compose-models.ts";
import { consoleRoute } from "./console/index.ts";
import { healthRoute } from "./health/index.ts";
import type { Route } from "./http/index.ts";
import type { Logging } from "./logging/index.ts";
import { type Metrics, metricsRoute } from "./metrics/index.ts";
import type { ServerSettings } from "./sections/index.ts";

/** What the routes are over. */
export interface RouteParts {
  readonly settings: ServerSettings;
  readonly core: AgentCore;
  readonly logging: Logging;
  readonly metrics: Metrics;
  readonly models: ComposedModels;
  /** Read per request. `address` is the one the card advertises. */
  readonly state: { readonly draining: boolean; readonly address: string };
  /** Silence on a stream or a waiting reply before something is sent; default 15,000 ms (rulings A6, A10). */
  readonly keepAliveMs?: number | undefined;
}

/** The console as it lies beside the sources of a checkout, or inside the published package. */
function consoleDirectory(): string {
  const packaged = fileURLToPath(new URL("../console", import.meta.url));
  return existsSync(packaged) ? packaged : fileURLToPath(new URL("../../console/dist", import.meta.url));
}

function a2aRoutes({ settings, core, logging, state, keepAliveMs }: RouteParts): Route[] {
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
    ...(keepAliveMs === undefined ? {} : { keepAliveMs }),
  });
  return [
    {
      method: "GET",
      path: CARD_PATHS,
      tier: "public",
      summary: "Tells what this agent is and how to reach it",
      handler: (request) => cardResponse(request, cardFor(request, currentCard()), { lastModified: startedAt }),
    },
    {
      method: "GET",
      path: `/a2a${V1_CARD_PATH}`,
      tier: "public",
      summary: "The same in the form of A2A 1.0",
      handler: (request) => cardResponse(request, v1Card(currentCard()), { lastModified: startedAt }),
    },
    {
      method: "POST",
      path: ["/a2a", "/a2a/"],
      tier: "agent",
      a2a: true,
      summary: "The agent, over A2A JSON-RPC",
      handler: (request, call) => endpoint(request, call.caller, () => call.admitStream()),
    },
  ];
}

/** Builds the table. */
export function serviceRoutes(parts: RouteParts): readonly Route[] {
  const { settings, metrics, models, state } = parts;
  return [
    ...a2aRoutes(parts),
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

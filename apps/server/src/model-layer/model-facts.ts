/**
 * What is known of a connection's models beside their calls (R13): what the settings declare, else what the gateway
 * tells, else what vendors publish.
 */
import {
  GatewayFacts,
  type ImageSupport,
  type ModelConnection,
  type ModelPrice,
  type ShippedModels,
} from "@agent-service/agent-core/host";
import type { ServerSettings } from "../settings/index.ts";

/** Tokens that the scripted model takes, which counts them as a real one would. */
export const SCRIPTED_WINDOW_TOKENS = 80_000;

type Connection = ServerSettings["models"]["connections"][number];

/** Of one connection. A gateway is asked once, when the first of these is; until it has answered it told nothing. */
export interface ModelFacts {
  windowOf(model: string): number | undefined;
  /** `told`: what the gateway says just now. */
  priceOf(model: string, told?: ModelPrice): ModelPrice | undefined;
  /** Its price as the connection's settings or its gateway have it, whatever vendors publish. */
  ownPriceOf(model: string): ModelPrice | undefined;
  imagesOf(model: string): ImageSupport;
}

function declaredPrice(declared: Connection["models"][string] | undefined): ModelPrice | undefined {
  if (declared?.price === undefined) return undefined;
  const { input, output, cache_read: cacheRead, cache_write: cacheWrite } = declared.price;
  return { input, output, cacheRead, cacheWrite };
}

/** What is known of the models of all connections. */
export interface ConnectionsFacts {
  of(connectionId: string): ModelFacts | undefined;
  /** Tokens that a model takes, by the first connection that tells. */
  windowOf(model: string): number | undefined;
  /**
   * What a model costs at a connection, whose server may have `told` something just now, or at the first that tells;
   * undefined where nobody knows.
   */
  priceOf(
    model: string,
    at?: { readonly connection?: string; readonly told?: ModelPrice | undefined },
  ): ModelPrice | undefined;
}

/** `routed`: a connection as the router has it. */
export function factsOfConnections(
  connections: readonly Connection[],
  routed: (connection: Connection) => ModelConnection,
  published: ShippedModels,
): ConnectionsFacts {
  const known = new Map(connections.map((one) => [one.id, modelFacts(one, routed(one), published)]));
  const first = <T>(ask: (facts: ModelFacts) => T | undefined): T | undefined =>
    [...known.values()].map(ask).find((answer) => answer !== undefined);
  return {
    of: (id) => known.get(id),
    windowOf: (model) => first((facts) => facts.windowOf(model)),
    priceOf(model, { connection, told } = {}) {
      const own =
        connection === undefined
          ? first((facts) => facts.ownPriceOf(model))
          : (known.get(connection)?.priceOf(model, told) ?? told);
      return own ?? published.of(model)?.price;
    },
  };
}

function modelFacts(
  { type, models }: Connection,
  { baseUrl, apiKey }: ModelConnection,
  published: ShippedModels,
): ModelFacts {
  // The others do not list their models.
  const gateway =
    type === "compat-gateway" && baseUrl !== undefined
      ? new GatewayFacts({ baseUrl, apiKey: typeof apiKey === "function" ? apiKey() : apiKey })
      : undefined;
  /** Models that refused images. */
  const blind = new Set<string>();
  const declaredOf = (model: string) => (Object.hasOwn(models, model) ? models[model] : undefined);
  const ownPriceOf = (model: string) => declaredPrice(declaredOf(model)) ?? gateway?.of(model)?.price;
  return {
    ownPriceOf,
    priceOf: (model, told) =>
      declaredPrice(declaredOf(model)) ?? told ?? gateway?.of(model)?.price ?? published.of(model)?.price,
    windowOf(model) {
      if (type === "scripted") return declaredOf(model)?.context_window ?? SCRIPTED_WINDOW_TOKENS;
      return (
        declaredOf(model)?.context_window ?? gateway?.of(model)?.contextWindow ?? published.of(model)?.contextWindow
      );
    },
    imagesOf: (model) => ({
      taken: () =>
        declaredOf(model)?.vision ??
        gateway?.of(model)?.vision ??
        (blind.has(model) ? false : published.of(model)?.vision),
      refused: () => void blind.add(model),
    }),
  };
}

/**
 * Windows, prices and image support of a connection's models (R13): as the settings declare, else as the gateway
 * reports, else as vendors publish.
 */
import {
  type EffortSupport,
  GatewayFacts,
  type ImageSupport,
  type ModelConnection,
  type ModelPrice,
  type ReasoningEffort,
  type ShippedModels,
} from "@agent-service/agent-core/host";
import type { ServerSettings } from "../settings/index.ts";

/** The window of the scripted model, which counts tokens as a real one would. */
export const SCRIPTED_WINDOW_TOKENS = 80_000;

/** Models of a connection of which it is kept what they refused. */
export const MOST_LEARNT = 500;

type Connection = ServerSettings["models"]["connections"][number];

/** The facts of one connection. A gateway is queried once, at the first use; until it responds its part is unknown. */
export interface ModelFacts {
  windowOf(model: string): number | undefined;
  /** `reported`: what the gateway's current response contains. */
  priceOf(model: string, reported?: ModelPrice): ModelPrice | undefined;
  /** Its price by the connection's settings or its gateway, not by vendors. */
  ownPriceOf(model: string): ModelPrice | undefined;
  imagesOf(model: string): ImageSupport;
  /** Its support of efforts; `reported`: what the gateway's current response contains. */
  effortsOf(model: string, reported?: readonly ReasoningEffort[]): EffortSupport;
}

function declaredPrice(declared: Connection["models"][string] | undefined): ModelPrice | undefined {
  if (declared?.price === undefined) return undefined;
  const { input, output, cache_read: cacheRead, cache_write: cacheWrite } = declared.price;
  return { input, output, cacheRead, cacheWrite };
}

export interface ConnectionsFacts {
  of(connectionId: string): ModelFacts | undefined;
  /** Tokens that a model takes, by the first connection that reports it. */
  windowOf(model: string): number | undefined;
  /**
   * What a model costs at a connection, whose server may have `reported` one just now, or at the first that reports one;
   * undefined where unknown.
   */
  priceOf(
    model: string,
    at?: { readonly connection?: string; readonly reported?: ModelPrice | undefined },
  ): ModelPrice | undefined;
  /** The reasoning efforts that a model takes at a connection, whose server may have `reported` them just now. */
  effortsOf(
    model: string,
    at: { readonly connection: string; readonly reported?: readonly ReasoningEffort[] | undefined },
  ): readonly ReasoningEffort[] | undefined;
}

/** `routed`: returns a connection of the router. */
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
    priceOf(model, { connection, reported } = {}) {
      const own =
        connection === undefined
          ? first((facts) => facts.ownPriceOf(model))
          : (known.get(connection)?.priceOf(model, reported) ?? reported);
      return own ?? published.of(model)?.price;
    },
    effortsOf(model, { connection, reported }) {
      const facts = known.get(connection);
      return facts === undefined
        ? (reported ?? published.of(model)?.efforts)
        : facts.effortsOf(model, reported).taken();
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
  const fixed = fixedEfforts(type, baseUrl);
  /** Efforts that were refused, by model. */
  const refusedEfforts = new Map<string, readonly ReasoningEffort[]>();
  /** Models that refused images. */
  const withoutVision = new Map<string, true>();
  const declaredOf = (model: string) => (Object.hasOwn(models, model) ? models[model] : undefined);
  const ownPriceOf = (model: string) => declaredPrice(declaredOf(model)) ?? gateway?.of(model)?.price;
  return {
    ownPriceOf,
    priceOf: (model, reported) =>
      declaredPrice(declaredOf(model)) ?? reported ?? gateway?.of(model)?.price ?? published.of(model)?.price,
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
        (withoutVision.has(model) ? false : published.of(model)?.vision),
      refused: () => remember(withoutVision, model, true),
    }),
    effortsOf: (model, reported) => ({
      taken() {
        const known = reported ?? gateway?.of(model)?.efforts ?? published.of(model)?.efforts;
        const taken = declaredOf(model)?.reasoning_efforts ?? fixed ?? known ?? wireEfforts(type);
        return taken?.filter((effort) => refusedEfforts.get(model)?.includes(effort) !== true);
      },
      refused(effort) {
        const known = refusedEfforts.get(model) ?? [];
        if (!known.includes(effort)) remember(refusedEfforts, model, [...known, effort]);
      },
    }),
  };
}

/** Forgets what was learnt first beyond the bound: who asks may name any model, and a model refuses again. */
function remember<T>(known: Map<string, T>, model: string, value: T): void {
  known.delete(model);
  known.set(model, value);
  const [first] = known.keys();
  if (known.size > MOST_LEARNT && first !== undefined) known.delete(first);
}

/** Where no effort has any effect: the scripted model, and Anthropic's OpenAI-compatible endpoint, which ignores the parameter. */
function fixedEfforts(type: Connection["type"], baseUrl: string | undefined): readonly ReasoningEffort[] | undefined {
  const isIgnored = type === "compat-gateway" && URL.parse(baseUrl ?? "")?.hostname === "api.anthropic.com";
  return type === "scripted" || isIgnored ? [] : undefined;
}

/** What the wire can carry, where the model is not known: those that it cannot are not sent, and the journal must not have them. */
function wireEfforts(type: Connection["type"]): readonly ReasoningEffort[] | undefined {
  return type === "oauth-subscription-a" ? ["low", "medium", "high", "xhigh", "max"] : undefined;
}

import type { ModelSectionValue } from "./model-section.ts";
import type { ProvidersSectionValue } from "./providers-section.ts";

/** The gateway's address when none is set (B51 `providers`, rule 3). */
export const DEFAULT_GATEWAY_URL = "http://gateway:4000/v1";

/** One entry of the `providers` section, defaults filled in. */
export type DeclaredConnection = NonNullable<ProvidersSectionValue>[number];

/** What a subscription is entered with, as the overlay holds it (R9). */
export type SubscriptionCredential = Exclude<DeclaredConnection["api_key"], string>;

/** A connection with its own address and its own credential; nothing is ever borrowed (B51, rule 2). */
export interface ResolvedConnection {
  readonly id: string;
  readonly type: DeclaredConnection["type"];
  readonly label: string;
  /** Blank for subscriptions and the scripted model. */
  readonly baseUrl: string;
  /** Blank: none, which is normal. */
  readonly apiKey: string;
  readonly credential?: SubscriptionCredential;
  readonly models: DeclaredConnection["models"];
}

/** The registry, and the lead model as a value of it. */
export interface ConnectionRegistry {
  readonly connections: readonly ResolvedConnection[];
  /** `<id>:<model>`, or a bare name for the first gateway (R13). */
  readonly lead: string;
  /** True when the registry comes from the retiring keys of `model`. */
  readonly retiring: boolean;
}

/**
 * Builds the registry of connections (B51 `providers`, rules 2 and 3). A declared block is used as it is. Without
 * one there is the gateway of `model.api_base` and `model.api_key` (id `gateway`), after the subscription that
 * `model.provider` names, if it names one; then a bare model name means that subscription. `scripted:<x>` as the lead
 * brings its own connection, as R10 lets an operator name it without declaring it.
 */
export function resolveConnections(
  providers: ProvidersSectionValue,
  model: Pick<ModelSectionValue, "name" | "provider" | "api_base" | "api_key">,
): ConnectionRegistry {
  if (providers !== undefined)
    return withScripted({ connections: providers.map(resolve), lead: model.name, retiring: false });
  const gateway = connection("gateway", "compat-gateway", model.api_base || DEFAULT_GATEWAY_URL, model.api_key);
  if (model.provider === "" || model.provider === "compat-gateway")
    return withScripted({ connections: [gateway], lead: model.name, retiring: true });
  const { provider } = model;
  const named = [provider, gateway.id].some((id) => model.name.startsWith(`${id}:`));
  return withScripted({
    connections: [connection(provider, provider, "", ""), gateway],
    lead: named ? model.name : `${provider}:${model.name}`,
    retiring: true,
  });
}

/** Puts the scripted model in front of the registry and lets it lead (R10). */
export function leadWithScripted(registry: ConnectionRegistry): ConnectionRegistry {
  return withScripted({ ...registry, lead: "scripted:demo" });
}

function withScripted(registry: ConnectionRegistry): ConnectionRegistry {
  const declared = registry.connections.some(({ id }) => id === "scripted");
  if (declared || !registry.lead.startsWith("scripted:")) return registry;
  return { ...registry, connections: [connection("scripted", "scripted", "", ""), ...registry.connections] };
}

function resolve(declared: DeclaredConnection): ResolvedConnection {
  const { id, type, label, base_url: baseUrl, api_key: key, models } = declared;
  if (typeof key === "string") return { id, type, label, baseUrl, apiKey: key, models };
  return { id, type, label, baseUrl, apiKey: "", credential: key, models };
}

function connection(id: string, type: DeclaredConnection["type"], baseUrl: string, apiKey: string): ResolvedConnection {
  return { id, type, label: "", baseUrl, apiKey, models: {} };
}

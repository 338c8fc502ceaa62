import {
  type Clock,
  ModelConfigError,
  type ModelConnection,
  servingConnection,
  TokenSource,
} from "@agent-service/agent-core/host";
import type { ServerSettings } from "../../settings/index.ts";

/** What messages call a connection that is tried before it is saved, and has no name yet. */
const UNSAVED = "new-connection";

/** A connection as a person entered it; blank keeps the saved value. */
interface Entered {
  readonly provider: string;
  readonly api_base: string;
  readonly api_key: string;
}

/** What a connection to test is made of. */
export interface TriedConnectionParts {
  readonly settings: Pick<ServerSettings, "models">;
  readonly clock: Clock;
  readonly models: {
    /** Parts of connections, as in the service's own router. */
    readonly connectionOf: (connection: ServerSettings["models"]["connections"][number]) => ModelConnection;
  };
}

/**
 * The connection to test. A stored secret is sent to its own connection's stored address only (R13), so with another
 * address only an entered one is used.
 */
export function triedConnection(parts: TriedConnectionParts, entered: Entered): ModelConnection {
  const { settings } = parts;
  const { connections, lead } = settings.models;
  const wanted = entered.provider;
  const saved =
    wanted === ""
      ? servingConnection(connections, lead)?.connection
      : (connections.find(({ id }) => id === wanted) ?? connections.find(({ type }) => type === wanted));
  // With an entered secret it is a new one, and the saved one's bearer is not used.
  const isNew = saved === undefined || (saved.id !== wanted && entered.api_key !== "");
  if (isSubscription(wanted) && isNew) return newSubscription(parts, wanted, entered);
  if (saved === undefined) {
    if (wanted !== "" && wanted !== "compat-gateway")
      throw new ModelConfigError("unsupported_connection", `there is no connection ${JSON.stringify(wanted)}`);
    return newGateway(entered);
  }
  // A connection with an entered address is a new one, also where its type is that of a saved one.
  if (saved.id !== wanted && saved.type === "compat-gateway" && !sameAddress(entered.api_base, saved.baseUrl))
    return newGateway(entered);
  const { apiKey, tokens, ...own } = parts.models.connectionOf(saved);
  const isElsewhere = !sameAddress(entered.api_base, saved.baseUrl);
  const address = entered.api_base === "" ? {} : { baseUrl: entered.api_base };
  if (isSubscription(saved.type)) {
    const bearer =
      entered.api_key !== "" ? bearerOf(parts, saved.id, entered.api_key) : isElsewhere ? undefined : tokens;
    return { ...own, ...address, ...(bearer && { tokens: bearer }) };
  }
  const key = entered.api_key !== "" ? entered.api_key : isElsewhere ? undefined : apiKey;
  return { ...own, ...address, ...(key === undefined ? {} : { apiKey: key }) };
}

type SubscriptionType = "oauth-subscription-a" | "oauth-subscription-b";

function isSubscription(type: string): type is SubscriptionType {
  return type === "oauth-subscription-a" || type === "oauth-subscription-b";
}

function newSubscription(
  parts: TriedConnectionParts,
  type: SubscriptionType,
  { api_base: baseUrl, api_key: token }: Entered,
): ModelConnection {
  const own = parts.models.connectionOf({ id: UNSAVED, type, label: "", baseUrl, apiKey: "", models: {} });
  return token === "" ? own : { ...own, tokens: bearerOf(parts, own.id, token) };
}

/** A bearer with the entered access token only: a test must not use up a refresh token that is good for one use. */
function bearerOf({ clock }: TriedConnectionParts, name: string, accessToken: string): TokenSource {
  return new TokenSource({ name, tokens: { accessToken, refreshToken: "" }, tokenEndpoint: "", clientId: "", clock });
}

function newGateway({ api_base, api_key }: Entered): ModelConnection {
  return {
    id: UNSAVED,
    type: "compat-gateway",
    baseUrl: api_base,
    ...(api_key === "" ? {} : { apiKey: api_key }),
  };
}

function sameAddress(entered: string, saved: string): boolean {
  return entered === "" || entered.replace(/\/+$/, "") === saved.replace(/\/+$/, "");
}

export function triedModel({ models }: TriedConnectionParts["settings"], id: string, entered: string): string {
  const value = entered === "" ? models.lead : entered;
  const known = models.connections.some(({ id: other }) => value.startsWith(`${other}:`));
  if (entered === "" && known && !value.startsWith(`${id}:`))
    throw new ModelConfigError("no_model", `no model of the connection ${id} is named`);
  return known ? value.slice(value.indexOf(":") + 1) : value;
}

import { freeId, suggestedConnectionId } from "@agent-service/operator-api/client";

/** The types of connections that can be entered. */
export type ConnectionType = "compat-gateway" | SubscriptionType;

/** Types of subscriptions: their secret is a set of tokens, and they have no address (B51 `providers`). */
export type SubscriptionType = "oauth-subscription-a" | "oauth-subscription-b";

/** A connection to a model server as a person enters it. */
export interface ConnectionDraft {
  readonly type: ConnectionType;
  /** Its part in `<id>:<model>`. Blank: it is derived from the address. */
  readonly id: string;
  readonly baseUrl: string;
  /** Of a subscription its access token. Blank keeps the stored one. */
  readonly apiKey: string;
  /** With what a subscription's access token is renewed. */
  readonly renewal: Renewal;
  /** The model to test, and the lead model if that is chosen. */
  readonly model: string;
}

/** What renews an access token before it expires (RFC 6749, section 6); all of it can be blank. */
export interface Renewal {
  readonly refreshToken: string;
  readonly tokenEndpoint: string;
  readonly clientId: string;
  /** ISO-8601. */
  readonly expiresAt: string;
}

export const EMPTY_CONNECTION: ConnectionDraft = {
  ...{ type: "compat-gateway", id: "", baseUrl: "", apiKey: "", model: "" },
  renewal: { refreshToken: "", tokenEndpoint: "", clientId: "", expiresAt: "" },
};

export function isSubscription(type: string): type is SubscriptionType {
  return type === "oauth-subscription-a" || type === "oauth-subscription-b";
}

const ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** A name for a connection that is not in `taken`; a gateway is named after its provider or host. */
export function suggestedId(
  { type, baseUrl }: Pick<ConnectionDraft, "type" | "baseUrl">,
  taken: readonly string[],
): string {
  return isSubscription(type) ? freeId("subscription", taken) : suggestedConnectionId(baseUrl, taken);
}

/** Why the draft is invalid; undefined: it can be tested. */
export function problemOfAddress(baseUrl: string): string | undefined {
  if (baseUrl.trim() === "") return "Enter the server's address.";
  const url = URL.parse(baseUrl.trim());
  return url !== null && /^https?:$/.test(url.protocol) ? undefined : "An address begins with http:// or https://.";
}

/** Problems of a subscription's tokens, by field. `isSet`: tokens are stored, which blank fields keep. */
export function problemsOfTokens({ apiKey, renewal }: ConnectionDraft, isSet: boolean): TokenProblems {
  const { refreshToken, tokenEndpoint, expiresAt } = renewal;
  if (isSet && !isEntered(apiKey, renewal)) return {};
  const canRenew = refreshToken.trim() !== "" && tokenEndpoint.trim() !== "";
  const expires = expiresAt.trim();
  return {
    ...(apiKey.trim() === "" &&
      !canRenew && { apiKey: "Enter the access token, or what renews it: a refresh token and its token endpoint." }),
    ...(tokenEndpoint.trim() !== "" &&
      problemOfAddress(tokenEndpoint) !== undefined && {
        tokenEndpoint: "An address begins with http:// or https://.",
      }),
    ...(expires !== "" &&
      Number.isNaN(Date.parse(expires)) && { expiresAt: "Enter a time such as 2026-12-31T18:00:00Z." }),
  };
}

/** Problems by field. */
export interface TokenProblems {
  readonly apiKey?: string;
  readonly tokenEndpoint?: string;
  readonly expiresAt?: string;
}

/** A subscription's tokens as the service expects them, all at once; undefined: none was entered. */
export function credentialOf({ apiKey, renewal }: ConnectionDraft): { readonly [name: string]: string } | undefined {
  if (!isEntered(apiKey, renewal)) return undefined;
  const { refreshToken, tokenEndpoint, clientId, expiresAt } = renewal;
  const entered = {
    access_token: apiKey,
    refresh_token: refreshToken,
    token_endpoint: tokenEndpoint,
    client_id: clientId,
    expires_at: expiresAt,
  };
  return Object.fromEntries(
    Object.entries(entered).flatMap(([name, text]) => (text.trim() ? [[name, text.trim()]] : [])),
  );
}

function isEntered(apiKey: string, renewal: Renewal): boolean {
  return [apiKey, ...Object.values(renewal)].some((text) => text.trim() !== "");
}

/** Why an id is invalid; undefined: it is valid. */
export function problemOfId(id: string, taken: readonly string[]): string | undefined {
  if (!ID.test(id)) return "Use 1 to 64 small letters, digits, hyphens or underscores.";
  return taken.includes(id) ? "There is a connection of this name." : undefined;
}

/** What the service is asked to test: a saved connection by its id, or one that is not saved yet. */
export interface Probe {
  readonly provider: string;
  readonly api_base: string;
  readonly api_key: string;
}

/** What to test for a draft. `saved`: the id of the connection it changes. */
export function probeOf({ type, baseUrl, apiKey }: ConnectionDraft, saved?: string): Probe {
  return { provider: saved ?? type, api_base: baseUrl.trim(), api_key: apiKey.trim() };
}

import type {
  AuthorizationServerMetadata,
  FetchLike,
  OAuthClientInformationMixed,
  OAuthTokens,
} from "@modelcontextprotocol/client";
import type { OauthSettings } from "../settings/index.ts";
import { type Grant, grantOf } from "./grant.ts";
import { configuredClient, machine } from "./oauth-client.ts";
import { SignInError } from "./sign-in-error.ts";
import type { SignInPlace } from "./sign-in-place.ts";

type Sdk = typeof import("@modelcontextprotocol/client");

/** What a renewal is made with. */
export interface Renewal {
  readonly fetch: FetchLike;
  readonly now: number;
  place(): Promise<SignInPlace>;
  metadata(issuer: string): Promise<AuthorizationServerMetadata | undefined>;
}

/** The grant of tokens that a client was given. */
export function newGrant(
  tokens: OAuthTokens,
  place: SignInPlace,
  { client_id: clientId, client_secret: clientSecret }: OAuthClientInformationMixed,
  now: number,
): Grant {
  const known = { issuer: place.issuer, resource: place.resource, clientId };
  return grantOf(tokens, { ...known, ...(clientSecret !== undefined && { clientSecret }) }, now);
}

/** Asks for tokens with the client's own secret. @throws SignInError, and what the SDK throws */
export async function grantWithoutPerson(
  sdk: Sdk,
  oauth: OauthSettings,
  clientSecret: string | undefined,
  { fetch, now, place: findPlace }: Renewal,
): Promise<Grant> {
  const place = await findPlace();
  const client = configuredClient(oauth, clientSecret);
  if (client?.client_secret === undefined)
    throw new SignInError("not_possible", "it needs `oauth.client_id` and the secret OAUTH_CLIENT_SECRET");
  const tokens = await sdk.fetchToken(machine(client), place.issuer, {
    ...{ metadata: place.metadata, resource: place.resource, fetchFn: fetch },
    ...(place.scopes !== undefined && { scope: place.scopes.join(" ") }),
  });
  const { refresh_token: _, ...kept } = tokens;
  return newGrant(kept, place, { client_id: client.client_id }, now);
}

/** Asks for tokens with the refresh token of a grant. @throws SignInError, and what the SDK throws */
export async function refreshedGrant(
  sdk: Sdk,
  before: Grant & { readonly refreshToken: string },
  { fetch, now, metadata: read }: Renewal,
): Promise<Grant> {
  const metadata = await read(before.issuer);
  if (metadata === undefined) throw new SignInError("unreachable", "its authorization server does not answer");
  const { clientId, clientSecret, refreshToken, resource } = before;
  const clientInformation = {
    client_id: clientId,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
  };
  const asked = { metadata, clientInformation, refreshToken, resource, fetchFn: fetch };
  return grantOf(await sdk.refreshAuthorization(before.issuer, asked), before, now);
}

import type { AuthorizationServerMetadata, FetchLike } from "@modelcontextprotocol/client";
import { SignInError } from "./sign-in-error.ts";

type Sdk = typeof import("@modelcontextprotocol/client");

/** The authorization server, and the resource that is asked for. */
export interface SignInPlace {
  readonly issuer: string;
  readonly metadata: AuthorizationServerMetadata;
  readonly resource: string;
  readonly scopes: readonly string[] | undefined;
}

/** What a server said when it refused a request: where its metadata is, and what it wants. */
export interface Challenge {
  readonly metadataUrl: URL | undefined;
  readonly scope: string | undefined;
  /** What it wanted of a token that may do less. */
  readonly more?: readonly string[];
}

export interface PlaceRequest {
  readonly url: string;
  readonly fetch: FetchLike;
  readonly challenge: Challenge | undefined;
  /** Configured; none: what the server wants. */
  readonly scopes: readonly string[];
  /** A person signs in, and is not to be needed again. */
  readonly offline: boolean;
}

/** Where a server's tokens come from, by what it publishes (RFC 9728, RFC 8414). @throws SignInError, and what the SDK throws */
export async function signInPlace(
  sdk: Sdk,
  { url, fetch, challenge, scopes: configured, offline }: PlaceRequest,
): Promise<SignInPlace> {
  const { origin } = new URL(url);
  // A challenge of the server names where on the server its metadata is, and nowhere else.
  const metadataUrl = challenge?.metadataUrl?.origin === origin ? challenge.metadataUrl : undefined;
  const found = await sdk.discoverOAuthServerInfo(url, {
    fetchFn: fetch,
    ...(metadataUrl !== undefined && { resourceMetadataUrl: metadataUrl }),
  });
  const { authorizationServerMetadata: metadata, resourceMetadata } = found;
  if (metadata === undefined)
    throw new SignInError("not_possible", "it publishes no authorization server to sign in at");
  const resource = resourceMetadata?.resource ?? url;
  if (!isFor(resource, url)) throw new SignInError("refused", "its metadata is that of another resource");
  const issuer = String(found.authorizationServerUrl);
  for (const address of [issuer, metadata.authorization_endpoint, metadata.registration_endpoint])
    if (address !== undefined && !isPrivateWay(address, url))
      throw new SignInError("refused", "its authorization server is not at an https address");
  const wanted =
    configured.length > 0 ? configured : (challenge?.scope?.split(" ") ?? resourceMetadata?.scopes_supported);
  const isOffered = metadata.scopes_supported?.includes(OFFLINE) === true && configured.length === 0;
  const more = [...(challenge?.more ?? []), ...(offline && isOffered && wanted !== undefined ? [OFFLINE] : [])];
  const scopes = wanted === undefined && more.length === 0 ? undefined : [...new Set([...(wanted ?? []), ...more])];
  return { issuer, metadata, resource, scopes };
}

/** The scope of tokens that can be renewed, at servers that have one for that. */
const OFFLINE = "offline_access";

/** Whether others cannot read along: https, or the server's own host, which the operator has named with http. */
function isPrivateWay(address: string, server: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || (protocol === "http:" && hostname === new URL(server).hostname);
}

/** Whether what is granted for a resource is granted for an address: the same origin, and the path or one above it. */
export function isFor(resource: string, url: string): boolean {
  if (!URL.canParse(resource) || !URL.canParse(url)) return false;
  const [granted, asked] = [new URL(resource), new URL(url)];
  const folder = granted.pathname.endsWith("/") ? granted.pathname : `${granted.pathname}/`;
  return granted.origin === asked.origin && `${asked.pathname}/`.startsWith(folder);
}

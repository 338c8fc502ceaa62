/** Who this service is where it signs in. */
import type { FetchLike, OAuthClientInformationMixed } from "@modelcontextprotocol/client";
import type { OauthSettings } from "../settings/index.ts";
import { SignInError } from "./sign-in-error.ts";
import type { SignInPlace } from "./sign-in-place.ts";

type Sdk = typeof import("@modelcontextprotocol/client");

/** What this service is to authorization servers. */
export const OAUTH_CLIENT = {
  client_name: "Agent Service",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
};

/** The client that the operator configured; undefined: none. */
export function configuredClient(
  oauth: OauthSettings | undefined,
  secret: string | undefined,
): { readonly client_id: string; readonly client_secret?: string } | undefined {
  if (oauth?.clientId === undefined) return undefined;
  return { client_id: oauth.clientId, ...(secret !== undefined && { client_secret: secret }) };
}

/** What a client is chosen by. */
export interface ClientChoice {
  readonly redirectUri: string;
  readonly fetch: FetchLike;
  oauth(): OauthSettings | undefined;
  clientSecret(): string | undefined;
  clientDocument(): string | undefined;
}

/** The client that signs in: configured, else described at an address of ours, else registered (M13). */
export async function clientFor(
  sdk: Sdk,
  { metadata, issuer }: SignInPlace,
  { redirectUri, fetch, oauth, clientSecret, clientDocument }: ClientChoice,
): Promise<OAuthClientInformationMixed> {
  const configured = configuredClient(oauth(), clientSecret());
  if (configured !== undefined) return configured;
  const document = clientDocument();
  if (document !== undefined && metadata.client_id_metadata_document_supported === true) return { client_id: document };
  if (metadata.registration_endpoint === undefined)
    throw new SignInError("not_possible", "it knows no clients but those it gave an id; set `oauth.client_id`");
  // A program of the person's own machine takes the answer at its loopback; a web page does elsewhere.
  const application_type = new URL(redirectUri).protocol === "https:" ? "web" : "native";
  const clientMetadata = { ...OAUTH_CLIENT, application_type, redirect_uris: [redirectUri] };
  return sdk.registerClient(issuer, { metadata, clientMetadata, fetchFn: fetch });
}

/** A client without a person, as the SDK asks for its parts. */
export function machine(client: { readonly client_id: string; readonly client_secret?: string }) {
  const unused = (): never => {
    throw new SignInError("not_possible", "there is no person to ask");
  };
  return {
    redirectUrl: undefined,
    clientMetadata: { ...OAUTH_CLIENT, grant_types: ["client_credentials"], redirect_uris: [] },
    clientInformation: () => client,
    tokens: () => undefined,
    prepareTokenRequest: (scope?: string) =>
      new URLSearchParams({ grant_type: "client_credentials", ...(scope !== undefined && { scope }) }),
    saveTokens: () => {},
    redirectToAuthorization: unused,
    saveCodeVerifier: unused,
    codeVerifier: unused,
  };
}

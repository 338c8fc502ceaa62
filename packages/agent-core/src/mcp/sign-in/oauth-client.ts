/** Who this service is where it signs in. */
import type { OauthSettings } from "../settings/index.ts";
import { SignInError } from "./sign-in-error.ts";

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

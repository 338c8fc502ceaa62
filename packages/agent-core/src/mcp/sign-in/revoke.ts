import type { AuthorizationServerMetadata, FetchLike } from "@modelcontextprotocol/client";
import type { Grant } from "./grant.ts";

/** Asks the authorization server to end a grant, where it can be asked (RFC 7009). */
export async function revoke(
  fetch: FetchLike,
  metadata: AuthorizationServerMetadata | undefined,
  { refreshToken, accessToken, clientId, clientSecret }: Grant,
): Promise<void> {
  const endpoint = (metadata as { readonly revocation_endpoint?: unknown } | undefined)?.revocation_endpoint;
  if (typeof endpoint !== "string") return;
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  // The access token may outlive its refresh token (RFC 7009, section 2.1).
  for (const token of refreshToken === undefined ? [accessToken] : [refreshToken, accessToken]) {
    const body = new URLSearchParams({
      ...{ token, client_id: clientId },
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
    });
    await fetch(endpoint, { method: "POST", headers, body: body.toString() });
  }
}

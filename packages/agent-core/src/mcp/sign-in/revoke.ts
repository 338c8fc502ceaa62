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
  const body = new URLSearchParams({
    ...{ token: refreshToken ?? accessToken, client_id: clientId },
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
  });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  await fetch(endpoint, { method: "POST", headers, body: body.toString() });
}

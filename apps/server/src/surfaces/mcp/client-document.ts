/** What this service is to the authorization servers of MCP servers: a document at an address of its own (M13). */
import { OAUTH_CLIENT } from "@agent-service/agent-core/host";
import { jsonResponse, problem, type Route } from "../../access/index.ts";

const PATH = "/.well-known/mcp-client.json";

/** Its address; undefined: it has none that others reach safely. */
export function clientDocumentAt(publicUrl: string | undefined): string | undefined {
  return publicUrl?.startsWith("https://") === true ? `${publicUrl}${PATH}` : undefined;
}

/** `publicUrl`: read at each request. */
export function clientDocumentRoute(publicUrl: () => string | undefined): Route {
  return {
    method: "GET",
    path: PATH,
    tier: "public",
    summary: "What this service is to authorization servers of MCP servers, where A2A_PUBLIC_URL is https",
    handler() {
      const base = publicUrl();
      const address = clientDocumentAt(base);
      if (base === undefined || address === undefined) return problem(404, "There is nothing at this path.");
      const redirects = [`${base}/app/oauth/mcp`, "http://127.0.0.1/callback", "http://localhost/callback"];
      return jsonResponse({ client_id: address, client_uri: base, ...OAUTH_CLIENT, redirect_uris: redirects }, 200);
    },
  };
}

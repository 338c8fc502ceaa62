/** `/mcp`: this service as an MCP server, of both eras and without sessions (M17). */
import { randomBytes } from "node:crypto";
import { JSON_LIMITS, parseJson } from "@agent-service/agent-core/host";
import type { OperatorRoute } from "@agent-service/operator-api";
import type { AuthInfo, McpHttpHandler } from "@modelcontextprotocol/server";
import { jsonResponse, maxBodyBytes, problem, type Route, type RouteCall } from "../../access/index.ts";
import type { RunningHost } from "../../service-feature/index.ts";
import { FewAtOnce } from "./few-at-once.ts";
import { loadServerSdk } from "./load-sdk.ts";
import { McpCalls } from "./mcp-calls.ts";
import { mcpServer } from "./mcp-server.ts";

const BODY_LIMITS = Object.freeze({ ...JSON_LIMITS, maxLength: maxBodyBytes });
/** Seconds after which a form is asked anew. */
const STATE_SECONDS = 86_400;
/** Of JSON-RPC. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

export interface McpRouteParts {
  readonly host: RunningHost;
  /** The operator API, of which operations are offered. */
  readonly operations: readonly OperatorRoute[];
}

interface Endpoint {
  readonly handler: McpHttpHandler;
  isJson(contentType: string | null): boolean;
}

export function mcpRoute(parts: McpRouteParts): Route {
  const { settings } = parts.host;
  let opened: Promise<Endpoint> | undefined;
  const fewAtOnce = new FewAtOnce();
  return {
    method: ["GET", "POST", "DELETE"],
    path: "/mcp",
    tier: "operator",
    summary: "This service as an MCP server, where mcp.expose.enabled is on",
    async handler(request, call) {
      if (!settings.mcp.expose.enabled) return problem(404, "MCP clients are not served: mcp.expose.enabled is off.");
      opened ??= openEndpoint(parts);
      await fewAtOnce.turn();
      const { handler, isJson } = await opened;
      // The access guard knows who sends this; the SDK hands it on to the server of this request.
      const authInfo: AuthInfo = { token: "", clientId: call.caller.class, scopes: [], extra: { call } };
      if (request.method !== "POST" || !isJson(request.headers.get("content-type")))
        return handler.fetch(request, { authInfo });
      const read = parseJson(await request.text(), BODY_LIMITS);
      if (!read.ok) {
        const isSyntax = read.code === "json.syntax";
        return refused(
          isSyntax ? PARSE_ERROR : INVALID_REQUEST,
          isSyntax ? "Parse error" : `The body: ${read.message}`,
        );
      }
      if (Array.isArray(read.value)) return refused(INVALID_REQUEST, "Batches are not taken: send one message");
      const refusal = isListening(read.value) ? call.openStream() : undefined;
      return refusal ?? handler.fetch(request, { authInfo, parsedBody: read.value });
    },
  };
}

async function openEndpoint({ host, operations }: McpRouteParts): Promise<Endpoint> {
  const sdk = await loadServerSdk();
  const calls = new McpCalls(host, operations);
  const states = sdk.createRequestStateCodec({ key: randomBytes(32), ttlSeconds: STATE_SECONDS });
  const handler = sdk.createMcpHandler(
    ({ era, authInfo }) => mcpServer({ sdk, host, calls, states }, authInfo?.extra?.call as RouteCall, era),
    {
      maxRequestBodySize: maxBodyBytes,
      ...(host.keepAliveMs !== undefined && { keepAliveMs: host.keepAliveMs }),
      onerror: (error) => host.logging.logger.debug({ err: error }, "a request to /mcp was refused"),
    },
  );
  return { handler, isJson: sdk.isJsonContentType };
}

/** A subscription is a stream that stays open. */
function isListening(message: unknown): boolean {
  return (
    typeof message === "object" && message !== null && "method" in message && message.method === "subscriptions/listen"
  );
}

function refused(code: number, message: string): Response {
  return jsonResponse({ jsonrpc: "2.0", id: null, error: { code, message } }, 400);
}

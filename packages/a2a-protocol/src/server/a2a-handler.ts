import {
  type AgentCard,
  type AgentCardInput,
  CARD_PATHS,
  cardFor,
  cardResponse,
  hybridCard,
  V1_CARD_PATH,
  v1Card,
} from "../agent-card/index.ts";
import { createEndpointParts, type EndpointOptions } from "./exchange/endpoint-parts.ts";
import type { AgentExecutor, Caller } from "./executor.ts";
import { jsonRpcEndpointOver } from "./json-rpc/json-rpc-endpoint.ts";
import { type RestEndpoint, restEndpointOver } from "./rest/rest-endpoint.ts";

/** Settings of a handler; `card` and `executor` are enough. */
export interface A2AHandlerOptions extends Omit<EndpointOptions, "card"> {
  /** The agent's part of the card; a function where it changes while running. */
  readonly card: AgentCardInput | (() => AgentCardInput);
  readonly executor: AgentExecutor;
  /**
   * Absolute address of the JSON-RPC endpoint as peers reach it, for the card; a function where it is known later.
   * Default: the origin of the request's URL, and `path`.
   */
  readonly url?: string | (() => string);
  /** Path of the JSON-RPC endpoint; a trailing slash is tolerated. Default "/a2a". */
  readonly path?: string;
  /**
   * Authenticates requests without `context.caller`. A `Response` refuses (401, 403). Default: every caller is the
   * operator, so leave it out only where the host authenticates or the endpoint is not reachable from outside. Cards are
   * public (B27).
   */
  readonly authenticate?: (request: Request) => Caller | Response | Promise<Caller | Response>;
  /** When the card last changed, milliseconds since 1970; for its `Last-Modified`. Default: when the handler was made. */
  readonly cardModifiedAt?: () => number;
}

/** The caller that a host has authenticated itself. */
export interface RequestContext {
  readonly caller?: Caller;
}

/** Answers one request. Never rejects. */
export type A2AHandler = (request: Request, context?: RequestContext) => Promise<Response>;

type Authenticate = NonNullable<A2AHandlerOptions["authenticate"]>;

const OPEN_CALLER: Caller = { class: "operator" };

/**
 * An agent as a web-standard request handler: JSON-RPC at the path, HTTP+JSON below it and, for 0.3, below `/v1`, and
 * the card at both well-known paths. Runs wherever `Request` and `Response` exist: Node through any adapter, Deno, Bun,
 * workers. It keeps no state but counters; tasks live in the executor.
 */
export function createA2AHandler(options: A2AHandlerOptions): A2AHandler {
  const path = withoutTrailingSlash(options.path ?? "/a2a");
  const madeAt = Date.now();
  const card = cardSource(options, path);
  const parts = createEndpointParts({ ...options, card });
  const endpoint = jsonRpcEndpointOver(parts);
  const prefix = path === "/" ? "" : path;
  const rest = restEndpointOver(parts, { prefix });
  const restV03 = restEndpointOver(parts, { prefix: "/v1", onlyV03: true });

  async function authenticated(request: Request, to: RestEndpoint, authenticate: Authenticate): Promise<Response> {
    try {
      const caller = await authenticate(request);
      return caller instanceof Response ? caller : await to(request, caller);
    } catch (error) {
      const idJson = to === endpoint ? "null" : undefined;
      return parts.failures.reply({ idJson, dialect: parts.dialects[0] }, error);
    }
  }
  /** Passes a request to an endpoint. A host may pass a context of its own (a worker's environment, for example), no caller. */
  function answer(request: Request, to: RestEndpoint, known: unknown): Promise<Response> {
    if (isCaller(known)) return to(request, known);
    const { authenticate } = options;
    return authenticate === undefined ? to(request, OPEN_CALLER) : authenticated(request, to, authenticate);
  }

  return async (request, context) => {
    const known = context?.caller;
    const pathname = withoutTrailingSlash(pathOf(request.url));
    if (pathname === path) {
      if (request.method !== "POST") return refuse(405, "Use POST", { allow: "POST" });
      return answer(request, endpoint, known);
    }
    const pure = pathname === prefix + V1_CARD_PATH && !CARD_PATHS.includes(pathname);
    if (!pure && !CARD_PATHS.includes(pathname)) {
      if (pathname.startsWith("/v1/")) return answer(request, restV03, known);
      if (pathname.startsWith(`${prefix}/`)) return answer(request, rest, known);
      return refuse(404, "Not found");
    }
    if (request.method !== "GET" && request.method !== "HEAD") return refuse(405, "Use GET", { allow: "GET, HEAD" });
    const asked = pure ? v1Card(card(request)) : cardFor(request, card(request));
    return cardResponse(request, asked, { lastModified: options.cardModifiedAt?.() ?? madeAt });
  };
}

/** The card for a request; cached as long as neither its content nor the address changes. */
function cardSource(options: A2AHandlerOptions, path: string): (request: Request) => AgentCard {
  const { card: input, url, executor } = options;
  const pushNotifications = executor.pushConfigs !== undefined;
  let last: { content: AgentCardInput; address: string; card: AgentCard } | undefined;
  return (request) => {
    const content = typeof input === "function" ? input() : input;
    const address = typeof url === "function" ? url() : (url ?? originOf(request.url) + path);
    if (last?.content !== content || last.address !== address) {
      last = { content, address, card: hybridCard({ pushNotifications, ...content }, address) };
    }
    return last.card;
  };
}

function originOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  return start === -1 ? url : url.slice(0, start);
}

/** The path inside an absolute address, without the cost of parsing it. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start === -1) return "/";
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
}

function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function isCaller(value: unknown): value is Caller {
  return typeof value === "object" && value !== null && typeof (value as Caller).class === "string";
}

function refuse(status: 404 | 405, detail: string, headers?: Record<string, string>): Response {
  return new Response(JSON.stringify({ detail }), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

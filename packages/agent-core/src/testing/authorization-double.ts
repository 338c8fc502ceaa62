/** An authorization server and an MCP server behind it, over real sockets, for tests. */
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a test changes of it; read at each request. */
export interface DoubleBehaviour {
  /** Members over those of the authorization server's metadata; undefined takes one out. */
  metadata?: Record<string, unknown>;
  /** Members over those of the resource's metadata. */
  resource?: Record<string, unknown>;
  /** Seconds of an access token. */
  expiresIn?: number;
  /** Answers a token request instead of the double. */
  token?: (body: URLSearchParams) => { status: number; body: unknown } | undefined;
  /** Its metadata answers 503. */
  away?: boolean;
  /** The MCP server refuses without saying why: a 401 without a challenge. */
  bare?: boolean;
  /** The scope that a token needs to pay. */
  wants?: string;
  /** The result of a call of the tool `pay`. */
  pay?: () => unknown;
}

/** It, while it runs. */
export interface AuthorizationDouble {
  readonly base: string;
  readonly url: string;
  readonly behaviour: DoubleBehaviour;
  /** `<method> <path>` of every request, and the bodies of those for tokens. */
  readonly seen: readonly string[];
  readonly tokenRequests: readonly URLSearchParams[];
  /** Bodies of registrations. */
  readonly registrations: readonly string[];
  /** Tokens that the MCP server takes. */
  readonly valid: Set<string>;
  /** How often `pay` was carried out. */
  readonly paid: number;
  /** A person says yes on the page at this address: what comes back to the redirect. */
  approve(address: string): Record<string, string>;
  close(): void;
}

interface Issued {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly scope: string;
}

function reply(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** Members without those that are undefined. */
function members(of: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(of).filter(([, one]) => one !== undefined));
}

/** Tokens: codes bound to their challenge, refresh tokens that rotate. */
class Tokens {
  readonly requests: URLSearchParams[] = [];
  readonly valid = new Set<string>();
  readonly refresh = new Set<string>();
  readonly codes = new Map<string, Issued>();
  readonly #scopes = new Map<string, string>();
  /** Of the grant that is asked for. */
  #scope = "";
  readonly #behaviour: DoubleBehaviour;

  constructor(behaviour: DoubleBehaviour) {
    this.#behaviour = behaviour;
  }

  scopesOf(token: string): readonly string[] {
    return this.#scopes.get(token)?.split(" ") ?? [];
  }

  answer(body: URLSearchParams): { readonly status: number; readonly body: unknown } {
    this.requests.push(body);
    const other = this.#behaviour.token?.(body);
    if (other !== undefined) return other;
    const grant = body.get("grant_type");
    this.#scope = body.get("scope") ?? this.#scope;
    if (grant === "client_credentials") return this.#issue(false);
    const isGood = grant === "refresh_token" ? this.#renews(body.get("refresh_token") ?? "") : this.#redeems(body);
    return isGood ? this.#issue(true) : { status: 400, body: { error: "invalid_grant" } };
  }

  #issue(renewable: boolean) {
    const [access_token, refresh_token] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    this.valid.add(access_token);
    this.#scopes.set(access_token, this.#scope);
    if (renewable) this.refresh.add(refresh_token);
    const { expiresIn: expires_in = 3_600 } = this.#behaviour;
    return {
      status: 200,
      body: { access_token, token_type: "Bearer", expires_in, ...(renewable && { refresh_token }) },
    };
  }

  /** A refresh token that is used twice ends the whole grant. */
  #renews(token: string): boolean {
    const isKnown = this.refresh.delete(token);
    if (!isKnown) this.refresh.clear();
    return isKnown;
  }

  #redeems(body: URLSearchParams): boolean {
    const code = body.get("code") ?? "";
    const issued = this.codes.get(code);
    this.codes.delete(code);
    this.#scope = issued?.scope ?? "";
    const verifier = body.get("code_verifier") ?? "";
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    return issued?.challenge === challenge && issued.redirectUri === body.get("redirect_uri");
  }
}

/** The MCP server: one tool, `pay`, for who has a token. */
class Bank {
  paid = 0;
  readonly #tokens: Tokens;
  readonly #behaviour: DoubleBehaviour;

  constructor(tokens: Tokens, behaviour: DoubleBehaviour) {
    this.#tokens = tokens;
    this.#behaviour = behaviour;
  }

  serve(request: IncomingMessage, body: string, response: ServerResponse, base: string): void {
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1];
    if (token === undefined || !this.#tokens.valid.has(token)) {
      const challenge = `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp", scope="read"`;
      const headers = this.#behaviour.bare === true ? {} : { "www-authenticate": challenge };
      reply(response, 401, { error: "invalid_token" }, headers);
      return;
    }
    const { id, method } = JSON.parse(body === "" ? "{}" : body) as { id?: number; method?: string };
    const { wants } = this.#behaviour;
    if (method === "tools/call" && wants !== undefined && !this.#tokens.scopesOf(token).includes(wants)) {
      const challenge = `Bearer error="insufficient_scope", scope="${wants}"`;
      reply(response, 403, { error: "insufficient_scope" }, { "www-authenticate": challenge });
      return;
    }
    const result = this.#resultOf(method);
    if (result !== undefined) reply(response, 200, { jsonrpc: "2.0", id, result });
    else if (request.method === "GET") response.writeHead(405).end();
    else if (id === undefined) response.writeHead(202).end();
    else reply(response, 400, { jsonrpc: "2.0", id, error: { code: -32600, message: "no" } });
  }

  #resultOf(method: string | undefined): unknown {
    if (method === "initialize") {
      const serverInfo = { name: "bank", version: "1" };
      return { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
    }
    if (method === "tools/list")
      return { tools: [{ name: "pay", description: "Pays.", inputSchema: { type: "object" } }] };
    if (method !== "tools/call") return undefined;
    this.paid++;
    return this.#behaviour.pay?.() ?? { content: [{ type: "text", text: "paid" }] };
  }
}

/** Starts an authorization server and the MCP server that takes its tokens, both at one port of this machine. */
export async function authorizationDouble(): Promise<AuthorizationDouble> {
  const behaviour: DoubleBehaviour = {};
  const seen: string[] = [];
  const registrations: string[] = [];
  const tokens = new Tokens(behaviour);
  const bank = new Bank(tokens, behaviour);
  let base = "";
  const resource = () => members({ resource: `${base}/mcp`, authorization_servers: [base], ...behaviour.resource });
  const metadata = () =>
    members({
      ...{ issuer: base, authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/token` },
      ...{ registration_endpoint: `${base}/register`, revocation_endpoint: `${base}/revoke` },
      ...{ response_types_supported: ["code"], code_challenge_methods_supported: ["S256"] },
      ...{ authorization_response_iss_parameter_supported: true, ...behaviour.metadata },
    });
  const serve = (request: IncomingMessage, body: string, response: ServerResponse): void => {
    const { pathname } = new URL(request.url ?? "/", base);
    seen.push(`${request.method} ${pathname}`);
    if (pathname === "/mcp") bank.serve(request, body, response, base);
    else if (pathname === "/.well-known/oauth-protected-resource/mcp") reply(response, 200, resource());
    else if (pathname === "/.well-known/oauth-authorization-server")
      reply(response, behaviour.away === true ? 503 : 200, metadata());
    else if (pathname === "/register") {
      registrations.push(body);
      reply(response, 201, { ...(JSON.parse(body) as object), client_id: "registered" });
    } else if (pathname === "/token") {
      const answer = tokens.answer(new URLSearchParams(body));
      reply(response, answer.status, answer.body);
    } else if (pathname === "/revoke") {
      const token = new URLSearchParams(body).get("token") ?? "";
      tokens.valid.delete(token);
      tokens.refresh.delete(token);
      reply(response, 200, {});
    } else reply(response, 404, {});
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => serve(request, body, response));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{
      base,
      url: `${base}/mcp`,
      behaviour,
      seen,
      registrations,
      tokenRequests: tokens.requests,
      valid: tokens.valid,
    },
    get paid() {
      return bank.paid;
    },
    approve(address) {
      const { searchParams } = new URL(address);
      const code = `code-${randomUUID()}`;
      const [challenge = "", redirectUri = "", scope = ""] = ["code_challenge", "redirect_uri", "scope"].map(
        (name) => searchParams.get(name) ?? "",
      );
      tokens.codes.set(code, { challenge, redirectUri, scope });
      return { code, state: searchParams.get("state") ?? "", iss: base };
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

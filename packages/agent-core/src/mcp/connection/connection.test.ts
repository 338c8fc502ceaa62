/** Connections to real servers of both eras over HTTP, through the egress guard. */
import { once } from "node:events";
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { createMcpHandler, fromJsonSchema, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, test } from "vitest";
import { createEgress } from "../../egress/index.ts";
import { manualClock } from "../../testing/index.ts";
import { ConnectionError, ManagedServer, type ManagedServerOptions, StartPlaces } from "./index.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Handle = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

/** An HTTP server of a test; `handle` sees the whole body. */
async function serve(handle: Handle): Promise<string> {
  const server: HttpServer = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => void handle(request, response, body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const text = fromJsonSchema<{ text: string }>({ type: "object", properties: { text: { type: "string" } } });

function fixture(): McpServer {
  const server = new McpServer({ name: "fixture", version: "1.0.0" });
  server.registerTool("echo", { description: "Echoes.", inputSchema: text }, async (args) => ({
    content: [{ type: "text", text: args.text }],
  }));
  server.registerTool("confirm", { description: "Asks first.", inputSchema: text }, async (_args, context) => {
    const answers = (context.mcpReq as { inputResponses?: Record<string, unknown> }).inputResponses;
    if (answers !== undefined) return { content: [{ type: "text", text: JSON.stringify(answers) }] };
    return inputRequired({
      inputRequests: {
        sure: inputRequired.elicit({
          message: "Sure?",
          requestedSchema: { type: "object", properties: { ok: { type: "boolean" } } },
        }),
      },
      requestState: "state-1",
    });
  });
  return server;
}

/** The SDK's own server: 2026, and 2025 where `legacyOnly`. */
async function serveFixture(seen: { requests: string[] } = { requests: [] }): Promise<string> {
  const handler = createMcpHandler(() => fixture());
  return serve(async (request, response, body) => {
    seen.requests.push((JSON.parse(body === "" ? "{}" : body) as { method?: string }).method ?? request.method ?? "");
    const answer = await handler.fetch(
      new Request(`http://${request.headers.host}${request.url}`, {
        method: request.method ?? "GET",
        headers: request.headers as Record<string, string>,
        ...(body !== "" && { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) response.end();
    else Readable.fromWeb(answer.body as never).pipe(response);
  });
}

function managed(url: string, options: Partial<ManagedServerOptions> = {}) {
  const clock = manualClock();
  const shown: string[][] = [];
  const server = new ManagedServer({
    name: "fixture",
    clock,
    places: new StartPlaces(),
    timeoutMs: 5_000,
    version: "1.0.0",
    elicitation: true,
    random: () => 0.5,
    source: { egressFor: ({ url: target }) => createEgress({ allowedHosts: [new URL(target).hostname] }) },
    target: () => ({ ok: true, target: { transport: "streamable_http", url, headers: { "x-token": "t" } } }),
    redact: (line) => line,
    onShown: async ({ tools }) => void shown.push(tools.map((tool) => (tool as { name: string }).name)),
    onChanged: () => {},
    onElicitation: async () => ({ action: "cancel" }),
    ...options,
  });
  closing.push(() => server.stop());
  return { server, clock, shown };
}

const call = (name: string, args = {}) => ({
  ...{ name, args, inputSchema: { type: "object" } },
  signal: new AbortController().signal,
});

const until = (check: () => boolean) => expect.poll(check, { interval: 2 }).toBe(true);

describe("a server of 2026", () => {
  test("is connected, listed and called, and its question is handed on with its state", async () => {
    const { server, shown } = managed(await serveFixture());
    const connection = await server.connection(call("echo").signal);
    expect([server.state, server.era, shown]).toEqual(["ready", "2026", [["echo", "confirm"]]]);
    expect(await connection.callTool(call("echo", { text: "hello" }))).toMatchObject({
      content: [{ type: "text", text: "hello" }],
    });
    const asked = await connection.callTool(call("confirm", { text: "x" }));
    expect(asked).toMatchObject({ resultType: "input_required", requestState: "state-1" });
    const answered = await connection.callTool({
      ...call("confirm", { text: "x" }),
      requestState: "state-1",
      inputResponses: { sure: { action: "accept", content: { ok: true } } },
    });
    expect(JSON.stringify(answered)).toContain("accept");
  });
});

/** A server of 2025, written out: what it does with each request is the test's. */
interface Legacy {
  /** Replies to a request; undefined: the default one. */
  on(method: string, reply: (send: Reply, id: number) => void): void;
  readonly seen: string[];
  readonly url: string;
}
interface Reply {
  readonly request: IncomingMessage;
  json(result: unknown): void;
  readonly response: ServerResponse;
}

const TOOLS = [{ name: "pay", description: "Pays.", inputSchema: { type: "object" } }];

async function serveLegacy(): Promise<Legacy> {
  const replies = new Map<string, (send: Reply, id: number) => void>();
  const seen: string[] = [];
  const url = await serve((request, response, body) => {
    const message = JSON.parse(body === "" ? "{}" : body) as { id?: number; method?: string };
    const method = message.method ?? request.method ?? "";
    seen.push(method);
    const json = (result: unknown): void => {
      response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "s1" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
    };
    const reply = replies.get(method);
    if (reply !== undefined) return reply({ request, response, json }, message.id ?? 0);
    if (method === "initialize")
      return json({
        protocolVersion: "2025-11-25",
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "legacy", version: "1" },
      });
    if (method === "tools/list") return json({ tools: TOOLS });
    if (method === "tools/call") return json({ content: [{ type: "text", text: "paid" }] });
    if (message.id === undefined && request.method === "POST") return response.writeHead(202).end();
    if (request.method === "GET") return response.writeHead(405).end();
    response.writeHead(400, { "content-type": "application/json" });
    return response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, error: { code: -32600, message: "no" } }));
  });
  return { on: (method, reply) => void replies.set(method, reply), seen, url };
}

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => value,
    (error: unknown) => (error instanceof ConnectionError ? error.code : error),
  );

describe("a server of 2025", () => {
  test("is found by its answer to the probe, and calls overlap on one connection", async () => {
    const legacy = await serveLegacy();
    const { server, shown } = managed(legacy.url);
    const connections = await Promise.all([1, 2, 3].map(() => server.connection(call("pay").signal)));
    expect([server.era, shown, new Set(connections).size]).toEqual(["2025", [["pay"]], 1]);
    const held: (() => void)[] = [];
    legacy.on("tools/call", ({ json }) => void held.push(() => json({ content: [] })));
    const calls = [connections[0]?.callTool(call("pay")), connections[1]?.callTool(call("pay"))];
    await until(() => held.length === 2);
    held[1]?.();
    await calls[1];
    held[0]?.();
    await calls[0];
    expect(legacy.seen.filter((method) => method === "initialize")).toHaveLength(1);
  });

  test.each([
    ["a session that is over", ({ response }: Reply) => response.writeHead(404).end(), "not_sent"],
    ["a cut connection", ({ response }: Reply) => response.socket?.destroy(), "lost"],
    ["a failure of the service", ({ response }: Reply) => response.writeHead(502).end(), "lost"],
    ["a missing credential", ({ response }: Reply) => response.writeHead(401).end(), "auth"],
    ["a refusal", ({ response }: Reply) => response.writeHead(413).end(), "server"],
    ["a redirect", ({ response }: Reply) => response.writeHead(307, { location: "/other" }).end(), "server"],
    [
      "a stream without an answer",
      ({ response }: Reply) => response.writeHead(200, { "content-type": "text/event-stream" }).end(": nothing\n\n"),
      "lost",
    ],
    [
      "half an answer",
      ({ response }: Reply) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
        response.write("{", () => response.socket?.destroy());
      },
      "lost",
    ],
  ])("%s", async (_what, reply, code) => {
    const legacy = await serveLegacy();
    const { server } = managed(legacy.url);
    const connection = await server.connection(call("pay").signal);
    legacy.on("tools/call", (send) => void reply(send));
    expect(await codeOf(connection.callTool(call("pay")))).toBe(code);
    expect(legacy.seen.filter((method) => method === "tools/call")).toHaveLength(1);
    expect(legacy.seen).not.toContain("/other");
  });

  test("a call that is aborted is cancelled on the server", async () => {
    const legacy = await serveLegacy();
    const { server } = managed(legacy.url);
    const connection = await server.connection(call("pay").signal);
    legacy.on("tools/call", () => {});
    const stop = new AbortController();
    const calling = codeOf(connection.callTool({ ...call("pay"), signal: stop.signal }));
    await until(() => legacy.seen.includes("tools/call"));
    const reason = new Error("enough");
    stop.abort(reason);
    expect(await calling).toBe(reason);
    await until(() => legacy.seen.includes("notifications/cancelled"));
    expect(server.state).toBe("ready");
  });

  test("a message of more than 10 MiB ends the connection, and nothing of it is kept", async () => {
    const legacy = await serveLegacy();
    const { server } = managed(legacy.url);
    const connection = await server.connection(call("pay").signal);
    const chunk = Buffer.alloc(1024 * 1024, "x");
    legacy.on("tools/call", ({ response }) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: ");
      const more = (): unknown => !response.destroyed && response.write(chunk, more);
      more();
    });
    expect(await codeOf(connection.callTool(call("pay")))).toBe("lost");
    expect([server.state, server.detail]).toEqual(["backoff", "it sent a message of more than 10 MiB"]);
  });

  test("lists with more than 64 pages are an error", async () => {
    const legacy = await serveLegacy();
    legacy.on("tools/list", ({ json }) => json({ tools: TOOLS, nextCursor: "again" }));
    const { server } = managed(legacy.url);
    server.start();
    await until(() => server.state === "backoff");
    expect(server.detail).toBe("its list of tools has more than 64 pages");
    expect(legacy.seen.filter((method) => method === "tools/list")).toHaveLength(64);
  });

  test("changed lists are fetched at most once in 2 s", async () => {
    const legacy = await serveLegacy();
    let stream: ServerResponse | undefined;
    legacy.on("GET", ({ response }) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": open\n\n");
      stream = response;
    });
    const { server, clock, shown } = managed(legacy.url);
    await server.connection(call("pay").signal);
    await until(() => stream !== undefined);
    const change = `data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })}\n\n`;
    const pings = `data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n\n`;
    stream?.write(change.repeat(100) + pings);
    // The ping is answered once what came before it was read.
    await until(() => legacy.seen.includes("POST"));
    await clock.advance(1_999);
    expect(shown).toHaveLength(1);
    await clock.advance(1);
    await until(() => shown.length === 2);
    expect(server.state).toBe("ready");
  });
});

describe("a server that fails", () => {
  test("is tried again ever later, is failing after 5 failures, and is tried rarely then", async () => {
    let tries = 0;
    const url = await serve((_request, response) => {
      tries++;
      response.writeHead(503).end();
    });
    const { server, clock } = managed(url);
    server.start();
    const waits: number[] = [];
    for (let failure = 1; failure <= 6; failure++) {
      await until(() => server.nextAttemptAt !== undefined && tries === failure);
      waits.push((server.nextAttemptAt ?? 0) - clock.now());
      if (failure < 5) expect(server.state).toBe("backoff");
      else expect(server.state).toBe("failing");
      await clock.advance(waits.at(-1) ?? 0);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 300_000, 300_000]);
    expect(await codeOf(server.connection(call("pay").signal))).toBe("not_sent");
  });

  test("lets calls wait for the next try, and no longer than the limit", async () => {
    const legacy = await serveLegacy();
    let isUp = false;
    legacy.on("tools/list", ({ json, response }) => (isUp ? json({ tools: [] }) : response.writeHead(500).end()));
    const { server, clock } = managed(legacy.url);
    const late = codeOf(server.connection(call("pay").signal));
    await until(() => server.state === "backoff");
    isUp = true;
    await clock.advance(1_000);
    expect(await late).toMatchObject({ era: "2025" });
  });

  test("that wants a credential waits for it, and is not tried again", async () => {
    const url = await serve((_request, response) => response.writeHead(401).end());
    const { server, clock } = managed(url);
    server.start();
    await until(() => server.state === "needs_auth");
    expect([server.nextAttemptAt, clock.nextAt()]).toEqual([undefined, undefined]);
    await expect(server.connection(call("pay").signal)).rejects.toThrow("fixture needs a sign-in by the operator");
  });

  test("keeps no other waiting: four start at once", async () => {
    const open: ServerResponse[] = [];
    const url = await serve((_request, response) => void open.push(response));
    const places = new StartPlaces();
    const servers = Array.from({ length: 6 }, () => managed(url, { places }).server);
    for (const server of servers) server.start();
    await until(() => open.length === 4);
    for (const response of open.slice(0, 2)) response.writeHead(401).end();
    await until(() => open.length === 6);
    const { server } = managed(url, { source: { egressFor: () => createEgress() } });
    server.start();
    await until(() => server.state === "backoff");
    expect(server.detail).toContain("is refused");
  });
});

describe("a retired server", () => {
  test("ends after its last call, and a stopped one at once", async () => {
    const legacy = await serveLegacy();
    const { server } = managed(legacy.url);
    const connection = await server.connection(call("pay").signal);
    const held: (() => void)[] = [];
    legacy.on("tools/call", ({ json }) => void held.push(() => json({ content: [] })));
    const calling = server.during(() => connection.callTool(call("pay")));
    await until(() => held.length === 1);
    server.retire();
    expect(connection.isClosed).toBe(false);
    held[0]?.();
    expect(await calling).toEqual({ content: [] });
    await until(() => connection.isClosed);

    const other = managed(legacy.url).server;
    const lost = codeOf((await other.connection(call("pay").signal)).callTool(call("pay")));
    await until(() => held.length === 2);
    await other.stop();
    expect(await lost).toBe("lost");
    expect(await codeOf(other.connection(call("pay").signal))).toBe("not_sent");
  });
});

test("a server that is silent is told with what to look at", async () => {
  const url = await serve(() => {});
  const { server } = managed(url, { timeoutMs: 40 });
  server.start();
  await until(() => server.state === "backoff");
  expect(server.detail).toBe("it did not answer within 0.04 s; check `url`, and that the server runs");
});

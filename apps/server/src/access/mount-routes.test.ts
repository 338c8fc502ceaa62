import { once } from "node:events";
import { request } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { ask } from "../testing/index.ts";
import { createAuthenticator } from "./authenticate.ts";
import { createBodyBudget } from "./body-budget.ts";
import { RouteTableError } from "./check-route-table.ts";
import type { Credentials } from "./credentials.ts";
import { anyoneDecides } from "./decision-guard.ts";
import { createHostCheck } from "./host-check.ts";
import { type Listener, listen } from "./listen.ts";
import { mountRoutes } from "./mount-routes.ts";
import { createOriginPolicy, parseAllowedOrigins } from "./origin-policy.ts";
import { jsonResponse } from "./problem.ts";
import type { Route } from "./route.ts";
import { createStreamLimit } from "./stream-limit.ts";

const closers: Listener[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((listener) => listener.close({ graceMs: 0 })));
});

interface Logged {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

async function serve(
  table: readonly Route[],
  options: { credentials?: Credentials; origins?: string; maxStreams?: number; maxBodyBytes?: number } = {},
) {
  const logged: Logged[] = [];
  const log = { error: (fields: Logged["fields"], message: string) => void logged.push({ fields, message }) };
  const streams = createStreamLimit(options.maxStreams);
  const app = mountRoutes(
    table,
    {
      authenticator: createAuthenticator(() => options.credentials ?? {}),
      hostCheck: createHostCheck({}),
      origins: createOriginPolicy({ allowed: parseAllowedOrigins(options.origins) }),
      streams,
      bodies: createBodyBudget(options.maxBodyBytes),
      refuseDecision: anyoneDecides,
    },
    log,
  );
  const listener = await listen({
    fetch: (req, bindings) => app.fetch(req, bindings),
    host: "127.0.0.1",
    port: 0,
    log,
  });
  closers.push(listener);
  return { port: listener.port, logged, streams };
}

const echo: Route = {
  method: "POST",
  path: ["/echo/:id", "/echo/:id/"],
  tier: "operator",
  summary: "Echoes the request",
  bodyLimit: 1_000,
  handler: async (req, call) =>
    jsonResponse({ id: call.param("id"), caller: call.caller.class, body: await req.text() }),
};
const hello: Route = {
  method: "GET",
  path: "/hello",
  tier: "public",
  summary: "Returns a greeting",
  handler: () => new Response("hello"),
};
const endless: Route = {
  method: "GET",
  path: "/stream",
  tier: "agent",
  streaming: true,
  summary: "Never ends",
  handler: () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("x")) })),
};

describe("the route table (S2)", () => {
  it.each([
    ["without a tier", { ...hello, tier: undefined as unknown as "public" }],
    ["with an unknown tier", { ...hello, tier: "admin" as "public" }],
    ["without a summary", { ...hello, summary: " " }],
    ["without a method", { ...hello, method: [] }],
    ["with an unknown method", { ...hello, method: "BREW" as "GET" }],
    ["with a relative path", { ...hello, path: "hello" }],
  ])("does not mount a route %s", async (_, route) => {
    await expect(serve([route])).rejects.toThrow(RouteTableError);
  });

  it("does not mount a duplicate route", async () => {
    await expect(serve([hello, { ...hello, method: ["POST", "GET"] }])).rejects.toThrow(/twice/);
  });
});

describe("a mounted route", () => {
  it("gets the request, the caller and its path parameters, decoded", async () => {
    const { port } = await serve([echo]);
    const answer = await ask(port, { method: "POST", path: "/echo/a%20b/", body: "hi" });
    expect(JSON.parse(answer.text)).toEqual({ id: "a b", caller: "operator", body: "hi" });
  });

  it("answers HEAD wherever GET is answered, without a body", async () => {
    const { port } = await serve([hello]);
    const answer = await ask(port, { method: "HEAD", path: "/hello" });
    expect([answer.status, answer.text]).toEqual([200, ""]);
  });
});

describe("the body of a request", () => {
  it.each(["gzip", "GZIP", "br, identity", "deflate"])(
    "in the coding %s is 415, and names the accepted coding",
    async (coding) => {
      const { port } = await serve([echo]);
      const headers = { "content-encoding": coding };
      const answer = await ask(port, { method: "POST", path: "/echo/1", body: "hi", headers });
      expect([answer.status, answer.headers["accept-encoding"]]).toEqual([415, "identity"]);
      expect(JSON.parse(answer.text)).toEqual({ detail: expect.stringContaining("Content-Encoding") });
    },
  );

  it.each(["identity", "Identity", ""])("in the coding %j is accepted", async (coding) => {
    const { port } = await serve([echo]);
    const headers = { "content-encoding": coding };
    expect((await ask(port, { method: "POST", path: "/echo/1", body: "hi", headers })).status).toBe(200);
  });
});

describe("what matches no route (A4)", () => {
  it("is 404 {detail}, or 405 {detail} with Allow when the path is known", async () => {
    const { port } = await serve([echo, hello]);
    const missing = await ask(port, { path: "/nowhere" });
    expect(missing.status).toBe(404);
    expect(JSON.parse(missing.text)).toEqual({ detail: expect.any(String) });
    const wrongMethod = await ask(port, { method: "DELETE", path: "/echo/1" });
    expect([wrongMethod.status, wrongMethod.headers.allow]).toEqual([405, "POST"]);
    expect(JSON.parse(wrongMethod.text).detail).toContain("DELETE");
  });

  it("does not reveal to an unauthorized caller which guarded paths exist", async () => {
    const { port } = await serve([echo, hello], { credentials: { bearer: "b" } });
    for (const path of ["/api", "/api/none", "/a2a/none", "/v1/none", "/agents/x/a2a"]) {
      expect((await ask(port, { path })).status, path).toBe(401);
    }
    expect((await ask(port, { path: "/echo/1" })).status).toBe(401);
    expect((await ask(port, { path: "/apix" })).status).toBe(404);
    expect((await ask(port, { path: "/api/none", headers: { authorization: "Bearer b" } })).status).toBe(404);
  });
});

describe("an error in a handler (A4, S5)", () => {
  it.each([
    ["an error", new Error("leaked"), "sync"],
    ["a rejection", new Error("leaked"), "async"],
  ] as const)("%s becomes a 500 with an id; the cause is in the log only", async (_, error, kind) => {
    const broken: Route = {
      ...hello,
      handler: () => {
        if (kind === "sync") throw error;
        return Promise.reject(error);
      },
    };
    const { port, logged } = await serve([broken]);
    const answer = await ask(port, { path: "/hello?token=secret" });
    expect(answer.status).toBe(500);
    const body = JSON.parse(answer.text);
    expect(Object.keys(body).sort()).toEqual(["detail", "error_id"]);
    expect(answer.text).not.toContain("leaked");
    expect(logged).toEqual([
      { message: "request failed", fields: { err: error, error_id: body.error_id, method: "GET", path: "/hello" } },
    ]);
  });

  it("a thrown value that is no Error is a 500 like any other", async () => {
    const broken: Route = {
      ...hello,
      handler: () => {
        throw "just text";
      },
    };
    const { port, logged } = await serve([broken]);
    const answer = await ask(port, { path: "/hello" });
    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.text).error_id).toBe(logged[0]?.fields.error_id);
  });
});

describe("the bounds of a request (A4, S7)", () => {
  it("refuses a body that declares itself too large before reading it", async () => {
    const { port } = await serve([echo]);
    const answer = await ask(port, { method: "POST", path: "/echo/1", body: "x".repeat(1_001) });
    expect([answer.status, Object.keys(JSON.parse(answer.text))]).toEqual([413, ["detail"]]);
    expect((await ask(port, { method: "POST", path: "/echo/1", body: "x".repeat(1_000) })).status).toBe(200);
  });

  it("cuts a chunked body off at the same size, and passes a smaller one on unchanged", async () => {
    const { port } = await serve([echo]);
    const chunked = { "transfer-encoding": "chunked" };
    const answer = await ask(port, { method: "POST", path: "/echo/1", headers: chunked, body: "y".repeat(1_001) });
    expect(answer.status).toBe(413);
    const fine = await ask(port, { method: "POST", path: "/echo/1", headers: chunked, body: "zü" });
    expect(JSON.parse(fine.text).body).toBe("zü");
  });

  it("requires the credential before it checks the body", async () => {
    const { port } = await serve([echo], { credentials: { bearer: "b" } });
    expect((await ask(port, { method: "POST", path: "/echo/1", body: "x".repeat(2_000) })).status).toBe(401);
  });

  it("serves so many streams at once and no more, and accepts another when one ends", async () => {
    const { port, streams } = await serve([endless, hello], { maxStreams: 2 });
    const open = await Promise.all([openStream(port), openStream(port)]);
    const refused = await ask(port, { path: "/stream" });
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "5"]);
    expect((await ask(port, { path: "/hello" })).status).toBe(200);
    expect((await ask(port, { method: "HEAD", path: "/stream" })).status).toBe(405);
    open[0]?.destroy();
    await expect.poll(() => streams.open).toBe(1);
    open.push(await openStream(port));
    expect(streams.open).toBe(2);
    for (const stream of open) stream.destroy();
  });

  it("verifies no Origin on a public stream, which counts against the limit all the same (B27)", async () => {
    const { port, streams } = await serve([{ ...endless, tier: "public" }], { origins: "https://a.example" });
    const stream = await openStream(port);
    expect(streams.open).toBe(1);
    stream.destroy();
  });

  it("lets a route that streams only sometimes take a stream and verify the Origin itself", async () => {
    const sometimes: Route = {
      ...echo,
      a2a: true,
      handler: async (req, call) => ((await req.text()) === "stream" && call.openStream()) || new Response("plain"),
    };
    const { port } = await serve([sometimes], { origins: "https://a.example" });
    const post = (body: string, headers = {}) => ask(port, { method: "POST", path: "/echo/1", body, headers });
    expect((await post("plain")).status).toBe(200);
    expect((await post("stream")).status).toBe(403);
    expect((await post("stream", { origin: "https://a.example" })).status).toBe(200);
  });
});

describe("browsers (S4)", () => {
  it("gives a listed origin its preflight and CORS headers on every answer, errors included", async () => {
    const { port } = await serve([echo, hello], { origins: "https://a.example", credentials: { bearer: "b" } });
    const origin = "https://a.example";
    const preflight = await ask(port, {
      method: "OPTIONS",
      path: "/echo/1",
      headers: { origin, "access-control-request-method": "POST" },
    });
    expect([preflight.status, preflight.headers["access-control-allow-origin"]]).toEqual([204, origin]);
    for (const [method, path, status] of [
      ["GET", "/hello", 200],
      ["POST", "/echo/1", 401],
      ["GET", "/api/none", 401],
      ["GET", "/none", 404],
    ] as const) {
      const answer = await ask(port, { method, path, headers: { origin } });
      expect([path, answer.status, answer.headers["access-control-allow-origin"]]).toEqual([path, status, origin]);
    }
    const foreign = await ask(port, { path: "/hello", headers: { origin: "https://b.example" } });
    expect(foreign.headers["access-control-allow-origin"]).toBeUndefined();
  });

  it("keeps the Host check in front of preflights on an open instance", async () => {
    const { port } = await serve([hello], { origins: "https://a.example" });
    const headers = { host: "evil.example", origin: "https://a.example", "access-control-request-method": "GET" };
    expect((await ask(port, { method: "OPTIONS", path: "/hello", headers })).status).toBe(403);
  });

  it("looks at the authority of an absolute request target, not only at the Host header", async () => {
    const { port } = await serve([hello]);
    const at = (target: string) => ask(port, { path: target, headers: { host: "localhost" } });
    expect((await at("http://evil.example/hello")).status).toBe(403);
    expect((await at("http://localhost:1/hello")).status).toBe(200);
  });

  it("never trusts a forwarded host", async () => {
    const { port } = await serve([hello]);
    const headers = { host: "evil.example", "x-forwarded-host": "localhost", forwarded: "host=localhost" };
    expect((await ask(port, { path: "/hello", headers })).status).toBe(403);
  });
});

async function openStream(port: number) {
  const outgoing = request({ port, host: "127.0.0.1", path: "/stream", agent: false });
  outgoing.on("error", () => undefined);
  outgoing.end();
  const [incoming] = await once(outgoing, "response");
  await once(incoming, "data");
  return outgoing;
}

describe("the room that request bodies take", () => {
  const bytes = 40 * 1024;
  const send = (port: number, path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body: "x".repeat(bytes) });
  const taking = (handler: Route["handler"]): Route => ({
    ...{ method: "POST", path: "/take", tier: "operator", summary: "Takes a body", handler },
  });

  it.each<[string, Route["handler"], number]>([
    ["answered at once", () => jsonResponse({}), 200],
    ["answered later", async (req) => jsonResponse({ length: (await req.text()).length }), 200],
    [
      "that failed at once",
      () => {
        throw new Error("a bug");
      },
      500,
    ],
    ["that failed later", () => Promise.reject(new Error("a bug")), 500],
  ])("is given back by a request %s", async (_how, handler, status) => {
    const { port } = await serve([taking(handler)], { maxBodyBytes: 2 * bytes });
    for (let round = 0; round < 4; round++) expect((await send(port, "/take")).status).toBe(status);
  });
});

/** Routes that decide for the operator, on an instance without a credential, over sockets (F15). */
import { request } from "node:http";
import { afterEach, expect, it } from "vitest";
import { createAccessControl } from "./create-access-control.ts";
import { type Listener, listen } from "./listen.ts";
import { mountRoutes } from "./mount-routes.ts";
import type { Route } from "./route.ts";

const routes: readonly Route[] = [
  { method: "POST", path: "/api/decide", tier: "operator", summary: "s", decides: true, handler: () => new Response() },
  { method: "POST", path: "/api/other", tier: "operator", summary: "s", handler: () => new Response() },
  {
    ...{ method: "POST", path: "/api/sometimes", tier: "operator", summary: "s" },
    handler: async (asked, call) => {
      const refused = (await asked.text()) === "decide" ? await call.refuseDecision() : undefined;
      return new Response(null, { status: refused === undefined ? 200 : 403 });
    },
  },
];

let listener: Listener | undefined;
afterEach(() => listener?.close({ graceMs: 0 }));

interface Given {
  readonly owner?: number | "not listed";
  readonly token?: string;
  readonly allowOpen?: boolean;
}

/** A service whose kernel says that every connection is of this user; `reads` counts how often it was asked. */
async function serving({ owner = "not listed", token, allowOpen }: Given) {
  const log = { error: (fields: unknown) => expect.fail(JSON.stringify(fields)) };
  const seen = { reads: 0, ports: new Set<number>() };
  const access = createAccessControl({
    credentials: () => ({ bearer: token }),
    allowOpen,
    readTables: async () => {
      seen.reads += 1;
      const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, "0");
      const rows = [...seen.ports].map(
        (port) => `0: 0100007F:${hex(port)} 0100007F:${hex(listener!.port)} 01 0:0 0:0 0 ${owner} 0 42 1`,
      );
      return owner === "not listed" ? [] : [rows.join("\n")];
    },
  });
  const app = mountRoutes(routes, access, log);
  listener = await listen({
    fetch: (asked, bindings) => {
      seen.ports.add(bindings.incoming.socket.remotePort!);
      return app.fetch(asked, bindings);
    },
    ...{ host: "127.0.0.1", port: 0, log },
  });
  return seen;
}

async function post(path: string, body = ""): Promise<{ status: number; text: string }> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`${listener!.url}${path}`, { method: "POST", body, headers });
  return { status: response.status, text: await response.text() };
}
let token: string | undefined;
afterEach(() => {
  token = undefined;
});

const self = process.geteuid!();

it("refuses them to another user, saying what lifts it, and nothing else; the tables are read for them alone", async () => {
  const seen = await serving({ owner: self + 1 });
  expect(await post("/api/other")).toMatchObject({ status: 200 });
  expect(await post("/api/sometimes", "read")).toMatchObject({ status: 200 });
  expect(seen.reads).toBe(0);
  const refused = await post("/api/decide");
  expect(refused.status).toBe(403);
  expect(refused.text).toMatch(/another user's\. Set auth\.token .* SVC_ALLOW_OPEN=1/);
  expect(await post("/api/sometimes", "decide")).toMatchObject({ status: 403 });
});

it("takes them from the service's own user and from root, and looks at a connection once", async () => {
  for (const owner of [self, 0]) {
    const seen = await serving({ owner });
    expect(await post("/api/decide")).toMatchObject({ status: 200 });
    expect(await post("/api/sometimes", "decide")).toMatchObject({ status: 200 });
    expect(seen.reads).toBe(seen.ports.size);
    await listener?.close({ graceMs: 0 });
  }
});

it("refuses a connection that no table has, after some looks", async () => {
  const seen = await serving({});
  expect((await post("/api/decide")).text).toMatch(/whose connection this is cannot be found out/);
  expect(seen.reads).toBe(3);
});

it.each<Given>([{ allowOpen: true }, { token: "t" }])("takes them from everyone with %j", async (given) => {
  token = given.token;
  const seen = await serving({ ...given, owner: self + 1 });
  expect(await post("/api/decide")).toMatchObject({ status: 200 });
  expect(await post("/api/sometimes", "decide")).toMatchObject({ status: 200 });
  expect(seen.reads).toBe(0);
});

it("refuses before the body has come", async () => {
  await serving({ owner: self + 1 });
  const status = await new Promise((resolve, reject) => {
    const { port } = listener!;
    const asked = request({ port, host: "127.0.0.1", path: "/api/decide", method: "POST" });
    asked.setHeader("content-length", "1000");
    asked.on("response", (response) => resolve(response.statusCode)).on("error", reject);
    asked.flushHeaders();
  });
  expect(status).toBe(403);
});

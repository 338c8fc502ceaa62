/** A server that was removed and is added again: the operator's choice anew (M8). */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type GatedService, startGatedService } from "../../testing/gated-service.ts";

let description = "Counts.";
let server: Server;
let service: GatedService;

/** As little of a server of 2025 as a client needs. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { id, method } = JSON.parse((await text(request)) || "{}") as { id?: number; method?: string };
  const results: { readonly [method: string]: object } = {
    initialize: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "s", version: "1" },
    },
    "tools/list": { tools: [{ name: "count", description, inputSchema: { type: "object" } }] },
  };
  const result = results[method ?? ""];
  const reply = result === undefined ? { error: { code: -32_601, message: "no such method" } } : { result };
  if (request.method !== "POST") response.writeHead(405).end();
  else if (id === undefined) response.writeHead(202).end();
  else
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id, ...reply }));
}

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  service = await startGatedService();
});
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  server?.closeAllConnections();
  server?.close();
});

async function added(): Promise<unknown> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  expect((await service.ask("POST", "/api/mcp/servers", { name: "counter", url })).status).toBe(200);
  const page = async () => (await service.ask("GET", "/api/mcp/servers/counter")).body;
  await expect.poll(async () => (await page()).state).toBe("ready");
  return (await page()).tools;
}

it("shows what the model reads, as the first time", async () => {
  expect(await added()).toMatchObject([{ name: "count", state: "on", description: "Counts." }]);
  expect((await service.ask("DELETE", "/api/mcp/servers/counter")).status).toBe(200);
  description = "Counts otherwise.";
  expect(await added()).toMatchObject([{ name: "count", state: "on", description: "Counts otherwise." }]);
});

it("shows what the model reads, as the first time, once the operator says that it is another one", async () => {
  const changed = (path: string) => ({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}` });
  const page = async () => (await service.ask("GET", "/api/mcp/servers/counter")).body;
  description = "Counts a third way.";
  expect((await service.ask("PATCH", "/api/mcp/servers/counter", changed("other"))).status).toBe(200);
  await expect.poll(async () => (await page()).held_count).toBe(1);
  expect((await page()).tools).toMatchObject([{ state: "held", description: "Counts otherwise." }]);
  const body = { ...changed("another"), repin: true };
  expect((await service.ask("PATCH", "/api/mcp/servers/counter", body)).status).toBe(200);
  await expect
    .poll(async () => (await page()).tools)
    .toMatchObject([{ state: "on", description: "Counts a third way." }]);
  expect((await page()).held_count).toBe(0);
});

it("is not reached at an address with what stands for a secret that was not shown", async () => {
  const url = "https://mcp.example/?api_key=***";
  const refused = await service.ask("PATCH", "/api/mcp/servers/counter", { url });
  expect(refused.status).toBe(422);
  expect(JSON.stringify(refused.body)).toContain("stands for a secret that is not shown");
});

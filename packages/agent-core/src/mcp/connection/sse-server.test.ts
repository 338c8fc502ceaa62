/** A server of the transport before streamable HTTP: one stream has the answers to all requests. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { createEgress } from "../../egress/index.ts";
import { openConnection } from "./server-connection.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string };
}

async function start() {
  const streams: ServerResponse[] = [];
  const calls: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === "GET") {
      streams.push(response.writeHead(200, { "content-type": "text/event-stream" }));
      response.write("event: endpoint\ndata: /messages\n\n");
      return;
    }
    const { id, method, params } = JSON.parse(await text(request)) as Request;
    response.writeHead(202).end();
    const say = (result: object) =>
      streams.at(-1)?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
    if (method === "initialize") {
      const serverInfo = { name: "old", version: "1" };
      say({ protocolVersion: "2024-11-05", capabilities: { tools: {} }, serverInfo });
    }
    if (method === "tools/list") say({ tools: [{ name: "pay", inputSchema: { type: "object" } }] });
    if (method !== "tools/call") return;
    calls.push(String(params?.name));
    if (params?.name === "pay") say({ content: [{ type: "text", text: "paid" }] });
    else streams.at(-1)?.end();
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`;
  const ended: string[] = [];
  const { signal } = new AbortController();
  const connection = await openConnection({
    ...{ server: "old", version: "1", elicitation: false, timeoutMs: 60_000, signal },
    target: { transport: "sse", url, headers: {} },
    source: { egressFor: () => createEgress({ allowedHosts: ["127.0.0.1"] }) },
    redact: (line) => line,
    onLog() {},
    onClosed: (reason) => void ended.push(reason),
    onListChanged() {},
    onElicitation: () => Promise.resolve({ action: "cancel" }),
  });
  closing.push(() => connection.close());
  const call = (name: string) => connection.callTool({ name, args: {}, inputSchema: { type: "object" }, signal });
  return { connection, call, calls, ended, streams, signal };
}

test("lists and calls tools", async () => {
  const { connection, call, signal } = await start();
  expect(await connection.list("tools", signal)).toMatchObject([{ name: "pay" }]);
  expect(await call("pay")).toMatchObject({ content: [{ text: "paid" }] });
});

test("whose stream ends has lost the calls on it, and no other stream is opened on this connection", async () => {
  const { connection, call, calls, ended, streams } = await start();
  await expect(call("hang up")).rejects.toMatchObject({ code: "lost" });
  expect([connection.isClosed, ended, calls, streams.length]).toEqual([
    ...[true, ["its stream of answers ended"], ["hang up"], 1],
  ]);
  await expect(call("pay")).rejects.toMatchObject({ code: "not_sent" });
});

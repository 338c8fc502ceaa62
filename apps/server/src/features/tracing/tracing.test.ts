/** Traces of the running service, taken by a collector over a real socket (B60 `tracing`; S5). */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { localGateway, textReply, toolReply } from "@agent-service/agent-core/testing";
import { afterEach, expect, it } from "vitest";
import { startMcpServer } from "../../testing/mcp-server.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly [kind: string]: unknown } }[];
  readonly status: { readonly code: number };
}

interface Collector {
  readonly url: string;
  readonly spans: readonly Span[];
  readonly requests: readonly {
    readonly path: string;
    readonly authorization: string | undefined;
    readonly body: string;
  }[];
  /** Statuses of the next answers; 200 after them. */
  readonly statuses: number[];
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += String(chunk);
  return body;
}

async function startCollector(): Promise<Collector> {
  const spans: Span[] = [];
  const requests: { path: string; authorization: string | undefined; body: string }[] = [];
  const statuses: number[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      requests.push({ path: request.url ?? "", authorization: request.headers.authorization, body });
      const status = statuses.shift() ?? 200;
      if (status === 200) {
        const sent = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
        spans.push(...sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      }
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    requests,
    statuses,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function collector(): Promise<Collector> {
  const started = await startCollector();
  closing.push(() => started.close());
  return started;
}

async function start(options: Parameters<typeof startTestService>[0]): Promise<TestService> {
  const service = await startTestService(options);
  closing.push(() => service.stop());
  return service;
}

function attributeOf(span: Span | undefined, key: string): unknown {
  return Object.values(span?.attributes.find((one) => one.key === key)?.value ?? {})[0];
}

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER = "00f067aa0ba902b7";

it("a turn is a span of its caller's trace, its calls are spans below it, and the gateway learns of its own", async () => {
  const traces = await collector();
  const gateway = await localGateway((_request, count) =>
    count === 1 ? toolReply({ name: "calculator", args: { expression: "6*7" } }) : textReply("42"),
  );
  closing.push(() => gateway.close());
  const service = await start({
    config: [
      "model: {name: 'gw:demo-model'}",
      `providers: [{id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}", api_key: gateway-own-secret}]`,
      `tracing: {enabled: true, host: "${traces.url}", public_key: pk-1, secret_key: sk-very-secret}`,
      "",
    ].join("\n"),
  });
  const traceparent = `00-${TRACE}-${CALLER}-01`;
  const task = (await service.wireAs({ traceparent }).say("my sk-very-secret question")) as { readonly id: string };
  await service.service.core.feed.idle();

  expect(traces.requests[0]).toMatchObject({
    path: "/api/public/otel/v1/traces",
    authorization: `Basic ${Buffer.from("pk-1:sk-very-secret").toString("base64")}`,
  });
  expect(new Set(traces.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
  const named = (name: string) => traces.spans.filter((span) => span.name === name);
  const [root] = named("invoke_agent protoagent");
  expect(root).toMatchObject({ parentSpanId: CALLER, status: { code: 0 } });
  expect(attributeOf(root, "agent.task.id")).toBe(task.id);
  const chats = named("chat demo-model");
  const [tool] = named("execute_tool calculator");
  expect(chats).toHaveLength(2);
  for (const span of [...chats, tool]) expect(span?.parentSpanId).toBe(root?.spanId);
  expect(attributeOf(chats[0], "gen_ai.operation.name")).toBe("chat");
  expect(attributeOf(tool, "gen_ai.tool.name")).toBe("calculator");
  for (const { startTimeUnixNano, endTimeUnixNano } of traces.spans)
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
  expect(gateway.requests.map(({ headers }) => headers.traceparent)).toEqual(
    chats.map(({ spanId }) => `00-${TRACE}-${spanId}-01`),
  );
  const bodies = traces.requests.map(({ body }) => body).join("");
  expect(bodies).not.toContain("question");
  expect(bodies).not.toContain("secret");
  const recent = (await (await fetch(`${service.url}/api/telemetry/recent`)).json()) as { turns: object[] };
  expect(recent.turns).toMatchObject([{ trace_id: TRACE }]);
});

it("a failed turn is a span with an error; a collector that is away for a while costs no turn anything", async () => {
  const traces = await collector();
  traces.statuses.push(400);
  const service = await start({ config: `tracing: {enabled: true, host: "${traces.url}"}\n` });
  await service.wire.say("one");
  await service.service.core.feed.idle();
  expect(traces.spans).toEqual([]);
  expect(service.log.filter((line) => line.includes("does not take traces: HTTP 400"))).toHaveLength(1);
  await service.wire.say("/fail 400");
  await service.service.core.feed.idle();
  expect(traces.requests.map(({ path, authorization }) => [path, authorization])).toEqual(
    traces.requests.map(() => ["/v1/traces", undefined]),
  );
  const root = traces.spans.find(({ name }) => name.startsWith("invoke_agent"));
  expect(root?.status.code).toBe(2);
  expect(root?.parentSpanId).toBeUndefined();
});

it("switched off, nothing is sent and no call carries a trace", async () => {
  const traces = await collector();
  const gateway = await localGateway(() => textReply("hello"));
  closing.push(() => gateway.close());
  const service = await start({
    config: `model: {name: 'gw:m'}\nproviders: [{id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}"}]\ntracing: {host: "${traces.url}"}\n`,
  });
  await service.wireAs({ traceparent: `00-${TRACE}-${CALLER}-01` }).say("hi");
  await service.service.core.feed.idle();
  expect(traces.requests).toEqual([]);
  expect(gateway.requests[0]?.headers.traceparent).toBeUndefined();
});

it("a call of an MCP server carries the span that the collector is sent, below its caller's trace", async () => {
  const traces = await collector();
  await using server = await startMcpServer([{ name: "look" }]);
  const service = await start({
    config: [
      `tracing: {enabled: true, host: "${traces.url}", public_key: pk-1, secret_key: sk-very-secret}`,
      `mcp: {enabled: true, servers: [{name: s, url: "${server.url}"}]}`,
      "",
    ].join("\n"),
  });
  await expect
    .poll(async () => (await (await fetch(`${service.url}/api/mcp/servers/s`)).json()) as object)
    .toMatchObject({
      state: "ready",
    });
  await service.wireAs({ traceparent: `00-${TRACE}-${CALLER}-01` }).say("/call s__look {}");
  await service.service.core.feed.idle();
  const call = traces.spans.find(({ name }) => name === "execute_tool s__look");
  expect(call?.traceId).toBe(TRACE);
  expect(server.metas).toMatchObject([{ traceparent: `00-${TRACE}-${call?.spanId}-01` }]);
});

it("a chat completion joins its caller's trace too; what is no traceparent is ignored", async () => {
  const traces = await collector();
  const service = await start({ config: `tracing: {enabled: true, host: "${traces.url}"}\n` });
  const complete = async (traceparent: string): Promise<void> => {
    const response = await fetch(`${service.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", traceparent },
      body: JSON.stringify({ messages: [{ role: "user", content: "hi" }] }),
    });
    expect(response.status).toBe(200);
    await response.text();
  };
  await complete(`00-${TRACE}-${CALLER}-01`);
  await complete("00-nothing");
  await service.service.core.feed.idle();
  const roots = traces.spans.filter(({ name }) => name.startsWith("invoke_agent"));
  expect(roots.map(({ parentSpanId }) => parentSpanId)).toEqual([CALLER, undefined]);
  expect(roots[1]?.traceId).not.toBe(TRACE);
});

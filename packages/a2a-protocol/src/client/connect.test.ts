import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { afterEach, describe, expect, it } from "vitest";
import { type A2AHandlerOptions, type AgentFunction, createA2AHandler, inMemoryExecutor } from "../server/index.ts";
import { type AgentEvent, ClientError, type ConnectOptions, connect } from "./index.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function start(agent: AgentFunction, options: Partial<A2AHandlerOptions> = {}, client: ConnectOptions = {}) {
  const executor = inMemoryExecutor(agent, { onError: () => {} });
  const handler = createA2AHandler({ card: { name: "T", description: "d" }, executor, ...options });
  const server = serve({ fetch: (request) => handler(request), port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  closers.push(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, agent: await connect(url, client) };
}

/** A server that is no agent, or an odd one. */
async function serveRaw(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const card = (extra: object = {}) => JSON.stringify({ name: "Odd", description: "", url: "/rpc", ...extra });
async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const kinds = (events: readonly AgentEvent[]) => events.map((event) => event.kind);

describe("talking to an agent", () => {
  it("sends, gets and cancels", async () => {
    const { agent } = await start(async function* ({ text, signal }) {
      if (text === "wait") await new Promise((resolve) => signal.addEventListener("abort", resolve));
      yield { artifact: { name: "a", text: `echo ${text}` } };
    });
    expect(agent.card.name).toBe("T");
    expect(agent.endpoint.version).toBe("1.0");
    const { task, text } = await agent.send("hi", { contextId: "c", metadata: { skill: "s" } });
    expect([text, task?.contextId, task?.status.state]).toEqual(["echo hi", "c", "TASK_STATE_COMPLETED"]);
    expect(await agent.get(task!.id)).toEqual(task);
    const waiting = await agent.send("wait", { returnImmediately: true });
    expect(waiting.task?.status.state).toBe("TASK_STATE_WORKING");
    expect((await agent.cancel(waiting.task!.id)).status.state).toBe("TASK_STATE_CANCELED");
    await expect(agent.get("nope")).rejects.toMatchObject({ name: "A2AError", code: -32001 });
  });

  it("sends metadata of a message in the message itself", async () => {
    const seen: unknown[] = [];
    const { agent } = await start(async function* ({ message }) {
      seen.push(message.metadata);
      yield { text: "ok" };
    });
    await agent.send({ parts: [{ text: "hi" }], metadata: { surface: "console" } });
    expect(seen).toEqual([{ surface: "console" }]);
  });

  it("streams friendly events, each with its cursor", async () => {
    const { agent } = await start(async function* () {
      yield { status: "thinking" };
      yield { text: "He" };
      yield { text: "llo" };
      yield { artifact: { name: "table", parts: [{ data: { rows: 1 } }] } };
    });
    const events = await collect(agent.stream("go"));
    expect(kinds(events)).toEqual(["task", "status", "text", "text", "artifact", "artifact", "status"]);
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(events.at(-1)).toMatchObject({ kind: "status", state: "TASK_STATE_COMPLETED", final: true });
    expect(events[1]).toMatchObject({ text: "thinking", final: false });
  });

  it("gives the text of a whole artifact as a delta too, so that a reader of text misses nothing", async () => {
    const { agent } = await start(async function* () {
      yield { artifact: { name: "a", text: "whole" } };
    });
    expect(kinds(await collect(agent.stream("go")))).toEqual(["task", "text", "artifact", "status"]);
  });

  it("continues in the same loop when a question is answered, and ends when it is not", async () => {
    const { agent } = await start(async function* ({ ask }) {
      yield { text: `1:${await ask("First?")} ` };
      yield { text: `2:${await ask("Second?")}` };
    });
    let text = "";
    let questions = 0;
    for await (const event of agent.stream("go")) {
      if (event.kind === "text") text += event.delta;
      if (event.kind !== "input-required") continue;
      questions++;
      expect(event.promptId).toEqual(expect.any(String));
      await event.answer(event.question === "First?" ? "a" : "b");
      await expect(event.answer("again")).rejects.toThrow(TypeError);
    }
    expect([text, questions]).toEqual(["1:a 2:b", 2]);
    expect((await collect(agent.stream("go"))).at(-1)?.kind).toBe("input-required");
  });

  it("rejects a second answer because the prompt is answered (A13)", async () => {
    const { agent } = await start(async function* ({ ask }) {
      yield { text: await ask("Who?") };
    });
    for await (const event of agent.stream("go")) {
      if (event.kind !== "input-required") continue;
      await agent.send("me first", { taskId: event.taskId });
      await expect(event.answer("me too")).rejects.toMatchObject({ code: -32002 });
    }
  });

  it("joins a task: with a cursor only what came after it, without one its text so far", async () => {
    const { agent } = await start(async function* () {
      yield { text: "He" };
      yield { text: "llo" };
    });
    const events = await collect(agent.stream("go"));
    const id = events[0]?.kind === "task" ? events[0].task.id : "";
    expect((await collect(agent.resubscribe(id, { after: 2 }))).slice(1)).toEqual(events.slice(2));
    const late = await collect(agent.resubscribe(id));
    expect(kinds(late)).toEqual(["task", "text", "artifact", "status"]);
    expect(late[1]).toMatchObject({ delta: "Hello" });
  });

  it("joins a waiting task, answers it, and is rejected where it was answered since (A7)", async () => {
    const { agent } = await start(async function* ({ ask }) {
      yield { text: await ask("Who?") };
    });
    const parked = await collect(agent.stream("go"));
    const [asked] = parked.flatMap((event) => (event.kind === "input-required" ? [event] : []));
    const { taskId, seq } = asked!;
    expect(kinds(await collect(agent.resubscribe(taskId)))).toEqual(["task", "input-required"]);
    expect(kinds(await collect(agent.resubscribe(taskId, { after: seq! })))).toEqual(["task", "input-required"]);
    const answered: AgentEvent[] = [];
    for await (const event of agent.resubscribe(taskId)) {
      answered.push(event);
      if (event.kind === "input-required") await event.answer("me");
    }
    expect(kinds(answered)).toEqual(["task", "input-required", "text", "artifact", "status"]);
    const since = await collect(agent.resubscribe(taskId, { after: seq! }));
    expect(kinds(since)).toEqual(["task", "status", "text", "artifact", "status"]);
  });

  it("yields tool calls and reset text of an agent that has them (A6, A14)", async () => {
    const frames = (id: unknown) => {
      const event = { kind: "artifact-update", taskId: "t", contextId: "c" };
      const part = (text: string) => ({ artifactId: "a", parts: [{ kind: "text", text }] });
      const tool = { toolCallId: "1", name: "calculator", phase: "started", args: "{}" };
      const status = { kind: "status-update", taskId: "t", contextId: "c", final: false, status: { state: "working" } };
      return [
        { kind: "task", id: "t", contextId: "c", status: { state: "working" } },
        { ...event, append: true, artifact: part("Let me see") },
        { ...event, append: false, artifact: part("") },
        { ...status, metadata: { "urn:agent-service:a2a:ext:tool-call-v1": tool } },
        { ...event, append: true, artifact: part("42") },
        { ...event, append: false, lastChunk: true, artifact: part("42") },
        { ...status, final: true, status: { state: "completed" } },
      ].map((result, i) => `id: ${i + 1}\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
    };
    const url = await serveRaw((request, response) => {
      if (request.method === "GET") return void response.end(card({ capabilities: { streaming: true } }));
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(frames("x").join(""));
    });
    const events = await collect((await connect(url)).stream("go"));
    expect(kinds(events)).toEqual(["task", "text", "text-reset", "tool", "text", "artifact", "status"]);
    expect(events[3]).toMatchObject({ name: "calculator", phase: "started", args: "{}" });
  });

  it("yields nothing twice when an agent repeats numbers it has sent", async () => {
    const frames = (last: number) =>
      [
        { kind: "task", id: "t", contextId: "c", status: { state: "working" } },
        ...["a", "b", "c"].map((text) => ({
          kind: "artifact-update",
          taskId: "t",
          contextId: "c",
          append: true,
          artifact: { artifactId: "a", parts: [{ kind: "text", text }] },
        })),
        { kind: "status-update", taskId: "t", contextId: "c", final: true, status: { state: "completed" } },
      ]
        .slice(0, last)
        .map((result, i) => `id: ${i + 1}\ndata: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result })}\n\n`)
        .join("");
    const cuts = [3, 4, 5];
    const url = await serveRaw((request, response) => {
      if (request.method === "GET") return void response.end(card({ capabilities: { streaming: true } }));
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(frames(cuts.shift() ?? 5));
    });
    const now = {
      after(_: number, ring: () => void) {
        queueMicrotask(ring);
        return () => {};
      },
    };
    const events = await collect((await connect(url, { timers: now })).stream("go"));
    expect(events.map((event) => (event.kind === "text" ? event.delta : event.kind))).toEqual([
      "task",
      "a",
      "b",
      "c",
      "artifact",
      "status",
    ]);
  });

  it("reads a Task or a Message where an agent does not stream", async () => {
    const answers = [
      {
        kind: "task",
        id: "t",
        contextId: "c",
        status: { state: "completed" },
        artifacts: [{ artifactId: "a", parts: [{ kind: "text", text: "hi" }] }],
      },
      { kind: "message", messageId: "m", role: "agent", parts: [{ kind: "text", text: "yo" }] },
    ];
    const url = await serveRaw((request, response) => {
      response.setHeader("content-type", "application/json");
      if (request.method === "GET") return void response.end(card());
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: answers.shift() }));
    });
    const agent = await connect(url);
    expect(kinds(await collect(agent.stream("go")))).toEqual(["task", "text", "artifact", "status"]);
    expect(await collect(agent.stream("go"))).toMatchObject([{ kind: "message", text: "yo" }]);
  });

  it("stops when its signal aborts, with the reason given", async () => {
    const { agent } = await start(async function* ({ signal }) {
      yield { text: "x" };
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    });
    const abort = new AbortController();
    const reading = (async () => {
      for await (const event of agent.stream("go", { signal: abort.signal })) {
        if (event.kind === "text") abort.abort(new Error("enough"));
      }
    })();
    await expect(reading).rejects.toThrow("enough");
  });
});

describe("connecting", () => {
  it("calls the runtime's fetch by itself: browsers refuse it as a method", async () => {
    const { url } = await start(async function* () {
      yield { text: "x" };
    });
    const native = globalThis.fetch;
    const asMethodOf: unknown[] = [];
    globalThis.fetch = function (this: unknown, ...call: Parameters<typeof fetch>) {
      asMethodOf.push(this);
      return native(...call);
    };
    try {
      await (await connect(url)).send({ parts: [{ text: "hi" }], metadata: { surface: "test" } });
    } finally {
      globalThis.fetch = native;
    }
    expect(asMethodOf.length).toBeGreaterThan(1);
    expect(asMethodOf.every((owner) => owner === undefined || owner === globalThis)).toBe(true);
  });

  it("sends credentials to the endpoint", async () => {
    const seen: unknown[] = [];
    const authenticate = (request: Request) => {
      seen.push([
        request.headers.get("authorization"),
        request.headers.get("x-api-key"),
        request.headers.get("a2a-version"),
      ]);
      return { class: "operator" };
    };
    const { agent } = await start(
      async function* () {
        yield { text: "x" };
      },
      { authenticate },
      { bearer: "b", apiKey: "k" },
    );
    await agent.send("hi");
    expect(seen).toEqual([["Bearer b", "k", "1.0"]]);
  });

  it("refuses to send them to another origin than the one it was given, unless allowed to", async () => {
    const url = await serveRaw((_, response) => void response.end(card({ url: "https://elsewhere.example/a2a" })));
    await expect(connect(url, { bearer: "b" })).rejects.toMatchObject({ code: "untrusted-endpoint" });
    await expect(connect(url)).resolves.toMatchObject({ endpoint: { url: "https://elsewhere.example/a2a" } });
    await expect(connect(url, { bearer: "b", trustedOrigins: ["https://elsewhere.example"] })).resolves.toBeDefined();
    const redirecting = await serveRaw((_, response) => {
      response.writeHead(302, { location: `${url}/card.json` });
      response.end();
    });
    await expect(connect(redirecting, { bearer: "b" })).rejects.toMatchObject({ code: "untrusted-endpoint" });
  });

  it("takes this machine's names for one origin", async () => {
    const { url } = await start(async function* () {
      yield { text: "x" };
    });
    await expect(connect(url.replace("127.0.0.1", "localhost"), { bearer: "b" })).resolves.toBeDefined();
  });

  it("looks at the older path where the newer has no card, and shows credentials only where asked", async () => {
    const asked: string[] = [];
    const url = await serveRaw((request, response) => {
      asked.push(`${request.url} ${request.headers.authorization ?? "-"}`);
      if (request.url?.endsWith("agent-card.json")) response.writeHead(404);
      else if (request.headers.authorization === undefined) response.writeHead(401);
      response.end(card());
    });
    await connect(`${url}/`, { bearer: "b" });
    expect(asked).toEqual([
      "/.well-known/agent-card.json -",
      "/.well-known/agent.json -",
      "/.well-known/agent.json Bearer b",
    ]);
  });

  it("repeats the tenant of a 1.0 interface in every request", async () => {
    const asked: unknown[] = [];
    const url = await serveRaw((request, response) => {
      if (request.method === "GET") {
        const supportedInterfaces = [
          { url: "/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0", tenant: "t-1" },
        ];
        return void response.end(card({ supportedInterfaces }));
      }
      request.on("data", (body: Buffer) => {
        const { id, params } = JSON.parse(body.toString());
        asked.push(params);
        const task = { id: "t", status: { state: "TASK_STATE_COMPLETED" } };
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result: task }));
      });
    });
    const agent = await connect(url);
    expect((await agent.get("t")).contextId).toBe("");
    await agent.cancel("t");
    expect(asked).toEqual([
      { tenant: "t-1", id: "t" },
      { tenant: "t-1", id: "t" },
    ]);
  });

  it("prefers 1.0's list of interfaces, and falls back to 0.3's", async () => {
    const documents = [
      card({
        supportedInterfaces: [
          { url: "/grpc", protocolBinding: "GRPC", protocolVersion: "1.0" },
          { url: "/v2", protocolBinding: "JSONRPC", protocolVersion: "2.0" },
          { url: "/v1", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
          { url: "/v03", protocolBinding: "JSONRPC", protocolVersion: "0.3" },
        ],
      }),
      card({ supportedInterfaces: [{ url: "/v03", protocolBinding: "JSONRPC", protocolVersion: "0.3" }] }),
      card({ preferredTransport: "GRPC", additionalInterfaces: [{ url: "/alt", transport: "JSONRPC" }] }),
      card({ preferredTransport: "GRPC" }),
      JSON.stringify({ hello: "world" }),
      "<html>",
    ];
    const url = await serveRaw((_, response) => void response.end(documents.shift()));
    expect((await connect(url)).endpoint).toMatchObject({ url: `${url}/v1`, version: "1.0" });
    expect((await connect(url)).endpoint).toMatchObject({ url: `${url}/v03`, version: "0.3" });
    expect((await connect(url)).endpoint.url).toBe(`${url}/alt`);
    await expect(connect(url)).rejects.toMatchObject({ code: "unsupported" });
    await expect(connect(url)).rejects.toMatchObject({ code: "card" });
    await expect(connect(url)).rejects.toMatchObject({ code: "card" });
  });

  it("reports HTTP errors with their detail and what they ask for, and lost connections as such", async () => {
    const url = await serveRaw((request, response) => {
      if (request.method === "GET") return void response.end(card());
      response.writeHead(429, { "retry-after": "3" });
      response.end('{"detail":"slow down"}');
    });
    const error = await (await connect(url)).send("x").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ClientError);
    expect(error).toMatchObject({
      code: "http",
      status: 429,
      retryAfterSeconds: 3,
      retryable: true,
      message: expect.stringContaining("slow down"),
    });
    await expect(connect("http://127.0.0.1:1")).rejects.toMatchObject({ code: "network", retryable: true });
  });

  it("bounds what an agent may answer, and how long it may be silent", async () => {
    const url = await serveRaw((request, response) => {
      if (request.method === "GET") return void response.end(card({ capabilities: { streaming: true } }));
      let body = "";
      request.on("data", (piece) => (body += piece));
      request.on("end", () => {
        if (body.includes("tasks/get")) return void response.end("x".repeat(2000));
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(body.includes("huge") ? `data: ${"x".repeat(2000)}` : ": hello\n\n");
      });
    });
    const agent = await connect(url, { maxAnswerLength: 1000, idleTimeoutMs: 20, maxReconnects: 0 });
    await expect(agent.get("t")).rejects.toMatchObject({ code: "too-large", retryable: false });
    await expect(collect(agent.stream("huge"))).rejects.toMatchObject({ code: "too-large" });
    await expect(collect(agent.stream("silent"))).rejects.toMatchObject({ code: "timeout" });
  });
});

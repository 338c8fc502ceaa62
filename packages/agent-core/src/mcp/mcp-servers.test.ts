/** Servers as the settings say, and calls of their tools: real servers over HTTP, a real store, a clock turned by hand. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { OutcomeUnknownError, type ParkAnswer } from "@agent-service/plugin-sdk";
import { fakeContext } from "@agent-service/plugin-sdk/testing";
import { createMcpHandler, fromJsonSchema, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { errorOf, kept, SECRET, serversBench } from "../mcp-servers-bench.ts";
import { DefinitionPins } from "./index.ts";

const bench = serversBench();
const { open, serve } = bench;
beforeEach(() => bench.begin());
afterEach(() => bench.end());

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly _meta?: object };
  readonly result?: unknown;
}

/** A server of 2025: what a call of its tool `pay` does is the test's; `lookup` only reads. */
class Legacy {
  url = "";
  tools: object[] = [
    { name: "pay", description: "Pays.", inputSchema: { type: "object" } },
    { name: "lookup", description: "Looks up.", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
  ];
  readonly calls: Message[] = [];
  readonly answers: unknown[] = [];
  sessions = 0;
  onCall: (message: Message, response: ServerResponse) => unknown = (message, response) =>
    reply(response, message, { content: [{ type: "text", text: `done ${this.calls.length}` }] });
  onAnswer: () => unknown = () => {};

  async start(): Promise<this> {
    this.url = await serve((request, response, body) => this.#handle(request, response, body));
    return this;
  }

  #handle(request: IncomingMessage, response: ServerResponse, body: string): unknown {
    const message = JSON.parse(body === "" ? "{}" : body) as Message;
    const { method } = message;
    if (request.method === "GET") return response.writeHead(405).end();
    if (method === "initialize") {
      this.sessions++;
      const capabilities = { tools: {} };
      return reply(response, message, {
        protocolVersion: "2025-11-25",
        capabilities,
        serverInfo: { name: "l", version: "1" },
      });
    }
    if (method === "tools/list") return reply(response, message, { tools: this.tools });
    if (method === "tools/call") {
      this.calls.push(message);
      return this.onCall(message, response);
    }
    if (method === "server/discover") return response.writeHead(400).end();
    if (method === undefined) {
      this.answers.push(message.result);
      this.onAnswer();
    }
    return response.writeHead(202).end();
  }
}

function reply(response: ServerResponse, { id }: Message, result: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
}

/** A server of 2026 over the SDK: `confirm` counts what it does after a yes. */
async function serveModern(): Promise<{ url: string; done: unknown[] }> {
  const done: unknown[] = [];
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "modern", version: "1" });
    const inputSchema = fromJsonSchema<object>({ type: "object" });
    server.registerTool("confirm", { description: "Asks first.", inputSchema }, async (_args, context) => {
      const { inputResponses } = context.mcpReq as { inputResponses?: Record<string, unknown> };
      const requestedSchema = { type: "object" as const, properties: { ok: { type: "boolean" as const } } };
      if (inputResponses === undefined)
        return inputRequired({
          inputRequests: { sure: inputRequired.elicit({ message: "Sure?", requestedSchema }) },
          requestState: "state-1",
        });
      done.push(inputResponses);
      return { content: [{ type: "text", text: "confirmed" }] };
    });
    return server;
  });
  const url = await serve(async (request, response, body) => {
    const { method = "GET", headers } = request;
    const init = { method, headers: headers as Record<string, string>, ...(body !== "" && { body }) };
    const answer = await handler.fetch(new Request(`http://${headers.host}${request.url}`, init));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) response.end();
    else Readable.fromWeb(answer.body as never).pipe(response);
  });
  return { url, done };
}

test("what a server repeats of its secrets is neither kept nor offered, and a restart finds nothing changed", async () => {
  const legacy = await new Legacy().start();
  const schema = (member: object) => ({ type: "object", properties: member });
  legacy.tools = [
    {
      name: "pay",
      title: SECRET,
      description: `Pays with ${SECRET}.`,
      inputSchema: schema({ a: { default: SECRET } }),
    },
    { name: `pay_${SECRET}`, inputSchema: { type: "object" } },
    { name: "key", inputSchema: schema({ [SECRET]: { type: "string" } }) },
  ];
  const { servers, ready, tool } = await open({ servers: [{ name: "one", url: legacy.url }] });
  await ready("one");
  expect(tool("one__pay").description).toContain("Pays with ***.");
  expect(JSON.stringify([servers.list(), servers.get("one"), servers.tools()])).not.toContain(SECRET);
  expect(servers.get("one")?.warnings).toEqual(["2 of its definitions are left out: a name in them repeats a secret"]);
  const stored = await bench.store().read({ sql: "SELECT * FROM mcp_definition", args: [] });
  expect(JSON.stringify(stored)).toContain("Pays with");
  expect(JSON.stringify(stored)).not.toContain(SECRET);
  await servers.restart("one");
  await ready("one");
  expect(servers.get("one")?.tools.map(({ name, state }) => [name, state])).toEqual([["pay", "on"]]);
});

describe("the settings", () => {
  test("are followed: a save touches only the servers it changes", async () => {
    const [one, two] = [await new Legacy().start(), await new Legacy().start()];
    const entries = [
      { name: "one", url: one.url },
      { name: "two", url: two.url, effects: { pay: "idempotent" } },
    ];
    const { servers, save, ready, tool, events } = await open({ servers: entries });
    await Promise.all([ready("one"), ready("two")]);
    const tools = servers.tools();
    expect(tools.map(({ name, effect }) => [name, effect])).toEqual([
      ["one__lookup", "pure"],
      ["one__pay", "effect"],
      ["two__lookup", "pure"],
      ["two__pay", "idempotent"],
    ]);
    save({ servers: entries, denylist: ["two__l*"] });
    expect(servers.tools().map(({ name }) => name)).not.toContain("two__lookup");
    expect(servers.tools()[0]).toBe(tools[0]);
    save({ servers: [entries[0], { ...entries[1], headers: { "x-a": "b" } }] });
    await ready("two");
    expect([one.sessions, two.sessions]).toEqual([1, 2]);
    const [, held] = [
      one.calls,
      new Promise<ServerResponse>((resolve) => (one.onCall = (_m, response) => resolve(response))),
    ];
    const running = tool("one__pay").run({}, fakeContext());
    const response = await held;
    save({ servers: [entries[1]] });
    expect(servers.list().map(({ name }) => name)).toEqual(["two"]);
    reply(response, one.calls[0] ?? {}, { content: [{ type: "text", text: "late" }] });
    expect(await running).toMatchObject({ text: "late" });
    save({ enabled: false, servers: entries });
    expect([servers.enabled, servers.tools(), servers.get("one")?.state]).toEqual([false, [], "disabled"]);
    expect(events).toContain('mcp.server_changed {"name":"one","state":"ready"}');
    expect(events).toContain('mcp.server_changed {"name":"two","state":"disabled"}');
  });

  test("of one server that are wrong are its state, and repeat nothing of them", async () => {
    const legacy = await new Legacy().start();
    const { servers, ready, state } = await open({
      servers: [
        { name: "bad", url: "ftp://secret@x" },
        { name: "missing", url: legacy.url, headers: { a: `\${TOKEN}` } },
        { name: "good", url: legacy.url },
        { name: "off", url: legacy.url, enabled: false },
      ],
    });
    await ready("good");
    await expect.poll(() => state("missing")).toBe("misconfigured");
    expect([state("bad"), state("off")]).toEqual(["misconfigured", "disabled"]);
    expect(servers.get("missing")?.detail).toContain(`\${TOKEN}`);
    expect(JSON.stringify(servers.list())).not.toContain("secret@");
    await expect(servers.restart("off")).rejects.toMatchObject({ code: "mcp.misconfigured" });
    await expect(servers.restart("nope")).rejects.toMatchObject({ code: "mcp.unknown_server" });
  });

  test("that are not saved are tried without leaving anything", async () => {
    const legacy = await new Legacy().start();
    const { servers } = await open({});
    const { signal } = new AbortController();
    const tried = await servers.test({ name: "try", url: legacy.url }, signal);
    expect(tried).toMatchObject({
      ok: true,
      era: "2025",
      tools: [{ fullName: "try__pay" }, { fullName: "try__lookup" }],
    });
    expect(servers.list()).toEqual([]);
    expect(await servers.test({ name: "try" }, signal)).toMatchObject({ ok: false });
    expect(await servers.test({ name: "try", url: "http://127.0.0.1:1/" }, signal)).toMatchObject({ ok: false });
  });

  test("give tools before anything is connected, and a changed definition waits", async () => {
    const legacy = await new Legacy().start();
    const pins = await DefinitionPins.open(bench.store());
    const first = await open({ servers: [{ name: "one", url: legacy.url }] }, pins);
    await first.ready("one");
    await first.servers.stop();
    legacy.tools = [{ name: "pay", description: "Pays.", inputSchema: { type: "object", required: ["to"] } }];
    const { servers, events, tool } = await open({ servers: [{ name: "one", url: legacy.url }] }, pins);
    expect(servers.tools().map(({ name }) => name)).toEqual(["one__lookup", "one__pay"]);
    expect(servers.get("one")?.state).toBe("starting");
    const before = tool("one__pay");
    await expect.poll(() => servers.get("one")?.heldCount).toBe(1);
    expect(servers.tools()).toEqual([]);
    expect((await errorOf((async () => before.run({}, fakeContext()))())).message).toContain("waits for the operator");
    const { name = "", digest = "" } = servers.get("one")?.tools.find(({ state }) => state === "held") ?? {};
    await expect(servers.decide("one", { approve: [{ name, digest: "old" }] })).rejects.toMatchObject({
      code: "mcp.digest_changed",
    });
    expect(await servers.decide("one", { approve: [{ name, digest }] })).toMatchObject({ heldCount: 0, toolCount: 1 });
    expect(events).toContain('mcp.definitions_held {"server":"one","names":["pay"]}');
  });
});

describe("a call", () => {
  test("carries its trace, and an error of the server is its own", async () => {
    const legacy = await new Legacy().start();
    const { tool, ready } = await open({ servers: [{ name: "one", url: legacy.url }] });
    await ready("one");
    expect(await tool("one__pay").run({ a: 1 }, fakeContext())).toMatchObject({ text: "done 1" });
    expect(legacy.calls[0]?.params).toMatchObject({ _meta: { traceparent: "00-task-1-call-1-01" } });
    legacy.onCall = (message, response) =>
      reply(response, message, { isError: true, content: [{ type: "text", text: "no" }] });
    expect(await errorOf(tool("one__pay").run({}, fakeContext({ callId: "call-2" })))).toMatchObject({
      ...{ code: "mcp.tool_error", message: "no" },
    });
  });

  test("hands on the images of its result", async () => {
    const legacy = await new Legacy().start();
    const { tool, ready } = await open({ servers: [{ name: "one", url: legacy.url }] });
    await ready("one");
    const image = { mimeType: "image/png", data: Buffer.from("89504e470d0a1a0a", "hex").toString("base64") };
    legacy.onCall = (message, response) => reply(response, message, { content: [{ type: "image", ...image }] });
    expect(await tool("one__pay").run({}, fakeContext())).toMatchObject({ images: [image] });
  });

  test("of an effect that is lost is unknown, and one that only reads is made again once", async () => {
    const legacy = await new Legacy().start();
    const { tool, ready, clock, state } = await open({ servers: [{ name: "one", url: legacy.url }] });
    await ready("one");
    legacy.onCall = (_message, response) => response.socket?.destroy();
    expect(await errorOf(tool("one__pay").run({}, fakeContext()))).toBeInstanceOf(OutcomeUnknownError);
    expect(legacy.calls).toHaveLength(1);
    const reading = errorOf(tool("one__lookup").run({}, fakeContext()));
    for (const expected of [2, 3]) {
      await expect.poll(() => state("one")).toBe("backoff");
      await clock.advance(5_000);
      await expect.poll(() => legacy.calls.length).toBe(expected);
    }
    expect(await reading).toMatchObject({ code: "mcp.tool_error" });
  });

  test("whose session is over is made on a new connection, also of an effect", async () => {
    const legacy = await new Legacy().start();
    const { tool, ready, clock, state } = await open({ servers: [{ name: "one", url: legacy.url }] });
    await ready("one");
    const done = legacy.onCall;
    legacy.onCall = (_message, response) => {
      legacy.onCall = done;
      response.writeHead(404).end();
    };
    // The clock stands still: the new connection is opened at once.
    expect(await tool("one__pay").run({}, fakeContext())).toMatchObject({ text: "done 2" });
    expect(legacy.sessions).toBe(2);
    // A server that forgets each session is tried as one that fails.
    legacy.onCall = (_message, response) => response.writeHead(404).end();
    const late = errorOf(tool("one__pay").run({}, fakeContext()));
    await expect.poll(() => state("one")).toBe("backoff");
    expect(legacy.sessions).toBe(2);
    legacy.onCall = done;
    await clock.advance(60_000);
    await late;
  });

  test("whose answer cannot be read is unknown where it is an effect: the server may have carried it out", async () => {
    const legacy = await new Legacy().start();
    const { tool, ready, state } = await open({ servers: [{ name: "one", url: legacy.url }] });
    await ready("one");
    for (const result of [
      { content: "no list" },
      { content: [{ type: "text" }] },
      { content: [], structuredContent: 7 },
    ]) {
      legacy.onCall = (message, response) => reply(response, message, result);
      expect(await errorOf(tool("one__pay").run({}, fakeContext()))).toBeInstanceOf(OutcomeUnknownError);
      expect(state("one")).toBe("ready");
    }
    expect(legacy.calls).toHaveLength(3);
  });

  test("is not ended by another one's missing sign-in", async () => {
    const legacy = await new Legacy().start();
    const { tool, ready, state } = await open({ servers: [{ name: "one", url: legacy.url }] });
    await ready("one");
    const arrived = Promise.withResolvers<() => void>();
    legacy.onCall = (message, response) => {
      if (message.params?.name === "lookup") return response.writeHead(401).end();
      return arrived.resolve(() => reply(response, message, { content: [{ type: "text", text: "paid" }] }));
    };
    const paying = tool("one__pay").run({}, fakeContext());
    const answer = await arrived.promise;
    await errorOf(tool("one__lookup").run({}, fakeContext()));
    expect(state("one")).toBe("needs_auth");
    answer();
    expect(await paying).toMatchObject({ text: "paid" });
  });

  test("has its server's time, is unknown after it where it is an effect, and holds up no other", async () => {
    const legacy = await new Legacy().start();
    const entry = { name: "one", url: legacy.url, call_timeout: 7 };
    const { tool, ready, clock } = await open({ servers: [entry] });
    await ready("one");
    legacy.onCall = (message, response) =>
      message.params?.name === "lookup" ? reply(response, message, { content: [] }) : undefined;
    const paying = errorOf(tool("one__pay").run({}, fakeContext()));
    await expect.poll(() => legacy.calls.length).toBe(1);
    expect(await tool("one__lookup").run({}, fakeContext())).toMatchObject({ text: "[The result is empty.]" });
    await clock.advance(7_000);
    expect(await paying).toBeInstanceOf(OutcomeUnknownError);
  });

  test("of a server that wants a sign-in says so at once from then on", async () => {
    const legacy = await new Legacy().start();
    const { tool, ready, state } = await open({ servers: [{ name: "one", url: legacy.url }] });
    await ready("one");
    legacy.onCall = (_message, response) => response.writeHead(401).end();
    for (let call = 0; call < 2; call++) {
      expect(await errorOf(tool("one__pay").run({}, fakeContext()))).toMatchObject({ code: "mcp.unavailable" });
    }
    expect([legacy.calls.length, state("one")]).toEqual([1, "needs_auth"]);
  });
});

const accepted: ParkAnswer = { kind: "form", values: { ok: true } };

describe("a question of 2026", () => {
  test("is kept and answered by another process, with the exact state", async () => {
    const modern = await serveModern();
    const pins = await DefinitionPins.open(bench.store());
    const first = await open({ servers: [{ name: "m", url: modern.url }] }, pins);
    await first.ready("m");
    const { notes, context } = kept();
    expect(await first.tool("m__confirm").run({}, context)).toMatchObject({
      request: { kind: "form", title: "confirm of m asks", description: "Sure?" },
    });
    await first.servers.stop();
    const second = await open({ servers: [{ name: "m", url: modern.url }] }, pins);
    await second.ready("m");
    const after = kept({ kept: notes[0] });
    expect(await second.tool("m__confirm").resume?.({}, accepted, after.context)).toMatchObject({ text: "confirmed" });
    expect(modern.done).toEqual([{ sure: { action: "accept", content: { ok: true } } }]);
    expect(after.notes).toMatchObject([{ isSent: true, requestState: "state-1" }]);
    // A crash after the answer went out: it may have happened, which is for a person to say.
    const [sent] = after.notes;
    expect([notes[0], sent].map((note) => second.tool("m__confirm").reattaches?.(note))).toEqual([true, false]);
    // A crash before anyone was asked: it is asked again.
    expect(await second.tool("m__confirm").reattach?.({}, kept({ kept: notes[0] }).context)).toMatchObject({
      type: "park",
    });
    expect(modern.done).toHaveLength(1);
  });

  test("is declined by a person, and cancelled where nobody follows the turn", async () => {
    const modern = await serveModern();
    const { tool, ready } = await open({ servers: [{ name: "m", url: modern.url }] });
    await ready("m");
    const { notes, context } = kept();
    await tool("m__confirm").run({}, context);
    await tool("m__confirm").resume?.({}, { kind: "form", declined: true }, kept({ kept: notes[0] }).context);
    await tool("m__confirm").run({}, kept({ caller: { unattended: true } }).context);
    expect(modern.done).toEqual([{ sure: { action: "decline" } }, { sure: { action: "cancel" } }]);
  });
});

describe("a question of 2025", () => {
  const asking = (legacy: Legacy, params: object) => {
    legacy.onCall = (message, response) => {
      const question = { jsonrpc: "2.0", id: 900, method: "elicitation/create", params };
      response.writeHead(200, { "content-type": "text/event-stream" }).write(`data: ${JSON.stringify(question)}\n\n`);
      const result = { content: [{ type: "text", text: "paid" }] };
      legacy.onAnswer = () => response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id: message.id, result })}\n\n`);
    };
  };
  const form = { message: "How much?", requestedSchema: { type: "object", properties: { n: { type: "number" } } } };

  test("is held while a person is asked, and is unknown after a restart", async () => {
    const legacy = await new Legacy().start();
    const pins = await DefinitionPins.open(bench.store());
    const { tool, ready, servers } = await open({ servers: [{ name: "one", url: legacy.url }] }, pins);
    await ready("one");
    asking(legacy, form);
    const park = await tool("one__pay").run({}, fakeContext());
    expect(park).toMatchObject({
      request: { kind: "form", description: expect.stringContaining("not known whether") },
    });
    expect(servers.get("one")?.callsRunning).toBe(1);
    expect(await tool("one__pay").resume?.({}, accepted, fakeContext())).toMatchObject({ text: "paid" });
    expect(legacy.answers).toEqual([{ action: "accept", content: { ok: true } }]);
    const lost = await errorOf(tool("one__pay").resume?.({}, accepted, fakeContext({ callId: "call-9" })));
    expect(lost).toBeInstanceOf(OutcomeUnknownError);
    expect(legacy.calls).toHaveLength(1);
  });

  test("with an address is an approval that shows it, and one that is not safe to open is cancelled", async () => {
    const legacy = await new Legacy().start();
    const { tool, ready, servers } = await open({ servers: [{ name: "one", url: legacy.url }] });
    await ready("one");
    const url = (address: string) => ({ mode: "url", message: "Sign in", url: address, elicitationId: "e" });
    asking(legacy, url("http://example.com/x"));
    expect(await tool("one__pay").run({}, fakeContext())).toMatchObject({ text: "paid" });
    asking(legacy, url("https://example.com/x?y=1"));
    const park = await tool("one__pay").run({}, fakeContext());
    expect(park).toMatchObject({
      request: { kind: "approval", detail: expect.stringContaining("https://example.com/x?y=1 on example.com") },
    });
    void servers.endTask("task-1", true);
    await expect.poll(() => servers.get("one")?.callsRunning).toBe(0);
    expect(legacy.answers).toEqual([{ action: "cancel" }]);
  });
});

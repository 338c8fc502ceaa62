/** `/mcp` as MCP clients of both eras meet it (M17). */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import * as v from "valibot";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Json, temporaryFolders } from "../../testing/index.ts";
import { startTestService, type TestService, type TestServiceOptions } from "../../testing/test-service.ts";

type Tool = NonNullable<TestServiceOptions["tools"]>[number];
const runs: string[] = [];
const pay: Tool = {
  name: "pay",
  description: "Pays.",
  input: v.object({ to: v.string() }),
  approval: () => ({ title: "Pay?", detail: "" }),
  run(_, { callId }) {
    runs.push(callId);
    return "paid";
  },
};
const form: Tool = {
  name: "book",
  description: "Books.",
  input: v.object({}),
  run: () => ({
    type: "park",
    request: {
      ...{ kind: "form", title: "Who?", description: "" },
      steps: [{ schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } }],
    },
  }),
};

const [started, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
const slow: Tool = {
  name: "slow",
  description: "Waits.",
  input: v.object({}),
  async run() {
    started.resolve();
    await release.promise;
    return "done";
  },
};

let running: TestService;
const clients: Client[] = [];
const folders = temporaryFolders();
const options: TestServiceOptions = {
  tools: [pay, form, slow],
  config: "mcp: { expose: { enabled: true, tools: [pay, book, slow, calculator] } }\n",
  folders,
};
beforeAll(async () => {
  running = await startTestService(options);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await running.stop();
  folders.remove();
});

type Elicited = (params: Json) => Json;

/** A client of an era; with `answer` it declares elicitation. */
async function connect(era: "legacy" | "auto", answer?: Elicited): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    {
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: era },
    },
  );
  if (answer !== undefined) client.setRequestHandler("elicitation/create", ({ params }) => answer(params) as never);
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", running.url)));
  clients.push(client);
  return client;
}
async function call(client: Client, name: string, args: object = {}) {
  const result = await client.callTool({ name, arguments: args as never });
  const texts = (result.content as Json[]).map((part) => String(part.text));
  return { isError: result.isError === true, text: texts.join("\n"), first: texts[0] ?? "" };
}
const get = async (path: string): Promise<Json> => (await fetch(running.url + path)).json();
const post = (path: string, body: object) =>
  fetch(running.url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

test.each(["legacy", "auto"] as const)("a client of the era %s lists and calls", async (era) => {
  const client = await connect(era);
  const { tools } = await client.listTools();
  const { entries } = await get("/api/mcp/exposed");
  expect(tools.map(({ name }) => name)).toEqual(entries.map(({ name }: Json) => name));
  expect(tools.find(({ name }) => name === "sessions.read")?.inputSchema).toMatchObject({ required: ["id"] });
  const asked = await call(client, "ask_agent", { message: "hello" });
  expect(asked).toMatchObject({ isError: false, text: expect.stringMatching(/session_id: .+\ntask_id: /) });
  const session = /session_id: (.+)/.exec(asked.text)?.[1] as string;
  expect(await call(client, "sessions.read", { id: session })).toMatchObject({ isError: false });
  expect(await call(client, "sessions.read", { id: "nowhere" })).toMatchObject({ isError: true, text: /^404: / });
  expect(JSON.parse((await call(client, "a2a_tasks.list", { origin: "operator", limit: 1 })).text).tasks).toHaveLength(
    1,
  );
  expect((await call(client, "sessions.read", { nope: 1 })).text).toContain("There is no such argument");
  expect(await call(client, "calculator", { expression: "2 + 3" })).toMatchObject({ isError: false, text: "5" });
  expect(await call(client, "calculator", { wrong: 1 })).toMatchObject({ isError: true });
  for (const name of ["config.read", "tools.call", "inbox.add", "current_time", "nope"])
    await expect(call(client, name)).rejects.toThrow("no such tool");
});

test("a repeated key answers from the same turn", async () => {
  const client = await connect("auto");
  const asked = { message: "once", idempotency_key: "k1" };
  const [first, second] = [await call(client, "ask_agent", asked), await call(client, "ask_agent", asked)];
  expect(second.text).toBe(first.text);
  expect((await call(client, "ask_agent", { ...asked, message: "twice" })).isError).toBe(true);
  expect(await call(client, "ask_agent", { message: " " })).toMatchObject({ isError: true, text: /^message: / });
  for (const text of ["a\0b", "a\ud800b"]) {
    const places = [
      { message: text },
      { message: "hello", session_id: text },
      { message: "hello", idempotency_key: text },
    ];
    for (const args of places)
      expect(await call(client, "ask_agent", args)).toMatchObject({
        isError: true,
        text: expect.stringContaining("NUL"),
      });
  }
  const said = await call(client, "ask_agent", { message: '/call pay {"to": "Ann"}' });
  expect([said.isError, runs]).toEqual([false, []]);
});

test.each([
  ["legacy", true],
  ["auto", false],
] as const)("without forms (%s) a park is text with its approval", async (era, declares) => {
  const before = runs.length;
  const client = await connect(era, declares ? () => ({ action: "accept", content: {} }) : undefined);
  const asked = await call(client, "pay", { to: "Ann" });
  const id = /approval_id: (.+)/.exec(asked.text)?.[1] as string;
  const task = /task_id: (.+)/.exec(asked.text)?.[1] as string;
  expect(asked.text).toMatch(/^It waits for an approval of a person: Pay\?/);
  expect((await post(`/api/approvals/${id}`, { decision: "approve" })).status).toBe(200);
  await (await running.service.core.service.get(task))?.ended();
  expect(runs).toHaveLength(before + 1);
});

test("a client with forms answers what is asked, once", async () => {
  const before = runs.length;
  const asked: Json[] = [];
  const client = await connect("auto", (params) => {
    asked.push(params);
    // The first answer lacks what is required, so it is asked once more.
    if ("name" in params.requestedSchema.properties)
      return { action: "accept", content: params.message === "Who?" ? {} : { name: "Ann" } };
    return { action: "accept", content: { decision: asked.length === 1 ? "approve" : "decline" } };
  });
  expect(await call(client, "pay", { to: "Ann" })).toMatchObject({ isError: false, text: "paid" });
  expect(asked[0]).toMatchObject({ message: 'Pay?\npay {"to":"Ann"}' });
  expect(await call(client, "pay", { to: "Bob" })).toMatchObject({ isError: true });
  expect(await call(client, "book")).toMatchObject({ isError: false, text: '{"name":"Ann"}' });
  expect(runs).toHaveLength(before + 1);
  const closing = await connect("auto", () => ({ action: "cancel" }));
  expect((await call(closing, "book")).text).toContain("It waits for an answer of a person");
});

const send = (body: string, headers: object = {}, method = "POST") =>
  fetch(`${running.url}/mcp`, {
    method,
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    ...(method === "POST" && { body }),
  });
const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

test.each([
  ["bad JSON", "{", {}, 400, -32_700],
  ["a batch", JSON.stringify([ping, ping]), {}, 400, -32_600],
  ["depth", `${"[".repeat(100)}${"]".repeat(100)}`, {}, 400, -32_600],
  ["an unknown method", JSON.stringify({ ...ping, method: "nope" }), {}, 200, -32_601],
  ["a wrong Accept", JSON.stringify(ping), { accept: "text/html" }, 406, -32_000],
  ["another content type", JSON.stringify(ping), { "content-type": "text/plain" }, 415, -32_000],
  ["an unknown revision", JSON.stringify(ping), { "mcp-protocol-version": "1999-01-01" }, 400, -32_000],
])("%s gets the error of the protocol", async (_, body, headers, status, code) => {
  const answer = await send(body, headers);
  const text = await answer.text();
  expect([answer.status, Number(/"code":(-\d+)/.exec(text)?.[1])]).toEqual([status, code]);
});

test("large bodies, other sites, streams and sessions are refused", async () => {
  expect((await send(" ".repeat(11 * 1024 * 1024))).status).toBe(413);
  expect((await send(JSON.stringify(ping), { origin: "https://evil.example" })).status).toBe(403);
  expect((await send("", {}, "GET")).status).toBe(405);
  expect((await send("", {}, "DELETE")).status).toBe(405);
});

test("a client that leaves stops waiting, and the call goes on", async () => {
  const client = await connect("auto");
  const left = new AbortController();
  const gone = client.callTool({ name: "slow" }, { signal: left.signal }).then(
    () => "answered",
    () => "left",
  );
  await started.promise;
  left.abort();
  expect(await gone).toBe("left");
  release.resolve();
  await expect.poll(async () => (await get("/api/a2a/tasks?origin=operator&limit=1")).tasks[0].state).toBe("completed");
});

/** A request of the newer era, whose client declares these capabilities. */
async function modern(method: string, params: Json, capabilities: object): Promise<Json> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const body = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } };
  const name = params.name ?? params.taskId;
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": method, "mcp-name": name };
  return (await send(JSON.stringify(body), headers)).json();
}

test("what came with a form goes on with its own call only, and answers once however often it is sent", async () => {
  const takes = { elicitation: { form: {} } };
  const before = runs.length;
  const { result } = await modern("tools/call", { name: "pay", arguments: { to: "Ann" } }, takes);
  const answer = {
    requestState: result.requestState,
    inputResponses: { answer: { action: "accept", content: { decision: "approve" } } },
  };
  for (const other of [
    { name: "pay", arguments: { to: "Bob" } },
    { name: "book", arguments: {} },
  ])
    expect(await modern("tools/call", { ...other, ...answer }, takes)).toMatchObject({ error: { code: -32_602 } });
  expect(runs).toHaveLength(before);
  for (let sent = 0; sent < 3; sent += 1)
    expect(await modern("tools/call", { name: "pay", arguments: { to: "Ann" }, ...answer }, takes)).toMatchObject({
      result: { content: [{ text: "paid" }] },
    });
  expect(runs).toHaveLength(before + 1);
});

test("a client with tasks polls for what waits, answers it, and cancels", async () => {
  const takes = { elicitation: { form: {} }, extensions: { "io.modelcontextprotocol/tasks": {} } };
  const begin = async (): Promise<string> => {
    const { result } = await modern("tools/call", { name: "pay", arguments: { to: "Ann" } }, takes);
    expect(result).toMatchObject({ resultType: "task", status: "working", ttlMs: null, pollIntervalMs: 1_000 });
    return result.taskId;
  };
  const read = async (taskId: string): Promise<Json> => (await modern("tasks/get", { taskId }, takes)).result;
  const before = runs.length;
  const taskId = await begin();
  const { status, inputRequests } = await read(taskId);
  const [prompt = ""] = Object.keys(inputRequests);
  expect([status, inputRequests[prompt].method]).toEqual(["input_required", "elicitation/create"]);
  const inputResponses = { other: {}, [prompt]: { action: "accept", content: { decision: "approve" } } };
  for (let sent = 0; sent < 2; sent += 1)
    expect(await modern("tasks/update", { taskId, inputResponses }, takes)).toMatchObject({ result: {} });
  await expect.poll(() => read(taskId)).toMatchObject({ status: "completed", result: { content: [{ text: "paid" }] } });
  expect(runs).toHaveLength(before + 1);
  // A handle is the task's own: another process answers for it too.
  const kept = await begin();
  await running.stop();
  running = await startTestService(options);
  expect(await read(kept)).toMatchObject({ status: "input_required" });
  const canceled = await begin();
  await modern("tasks/cancel", { taskId: canceled }, takes);
  expect(await read(canceled)).toMatchObject({ status: "cancelled" });
  const { body } = await post("/api/chat", { message: "hello" });
  await body?.cancel();
  const [chat] = (await get("/api/a2a/tasks?origin=chat")).tasks;
  for (const one of [`ask.${chat.task_id}`, "ask.nope", "nope"])
    expect(await modern("tasks/get", { taskId: one }, takes)).toMatchObject({ error: { code: -32_602 } });
});

test("the profile full adds what changes, and off is 404", async () => {
  const apply = (config: string) => {
    running.folders.configure(config);
    running.live.reload();
  };
  apply("mcp: { expose: { enabled: true, profile: full, tools: ['*'] } }\n");
  const client = await connect("auto");
  const added = { body: { text: "look" }, idempotency_key: "inbox-1" };
  const [first, second] = [await call(client, "inbox.add", added), await call(client, "inbox.add", added)];
  expect([first.isError, second.text]).toEqual([false, first.text]);
  const job = (only_if?: object) =>
    call(client, "scheduler.create", {
      body: { prompt: "Look.", schedule: "0 7 * * *", only_if },
    });
  expect(await job({ verifier: { type: "command", command: "id" } })).toMatchObject({
    isError: true,
    text: expect.stringContaining("Clients of MCP do not decide this"),
  });
  expect(await job()).toMatchObject({ isError: false });
  expect((await get("/api/scheduler/jobs")).jobs.map((one: Json) => one.prompt)).toEqual(["Look."]);
  const exposed = await get("/api/mcp/exposed");
  expect(exposed).toMatchObject({ enabled: true, path: "/mcp", profile: "full", star: true, trust_override: false });
  expect(exposed.count).toBe(exposed.entries.length);
  apply("");
  const off = await send(JSON.stringify(ping));
  expect([off.status, await off.json()]).toEqual([
    404,
    { detail: expect.stringContaining("mcp.expose.enabled is off") },
  ]);
  expect(await get("/api/mcp/exposed")).toMatchObject({ enabled: false, profile: "read-only", star: false });
});

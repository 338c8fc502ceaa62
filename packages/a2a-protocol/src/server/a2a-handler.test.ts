import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { codePoint } from "../../../../test/values/text.ts";
import { OverloadedError } from "../error/index.ts";
import { type A2AHandlerOptions, type AgentExecutor, createA2AHandler, inMemoryExecutor } from "./index.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers as loosely as a caller would
type Answer = any;

/** The agent of these tests: echoes, asks, waits or fails. */
const executor = (onError?: (error: unknown) => void) =>
  inMemoryExecutor(
    async function* ({ text, ask, signal, metadata }) {
      if (text === "fail") throw new Error("secret cause");
      if (text === "ask") yield { text: `you said ${await ask("Which city?")}` };
      else if (text === "wait")
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      else
        yield {
          artifact: { name: "answer", text: `${text}${typeof metadata.skill === "string" ? metadata.skill : ""}` },
        };
    },
    { onError: (error) => onError?.(error) },
  );

/** A served agent: real sockets, a port of its own. */
async function start(options: Partial<A2AHandlerOptions> = {}) {
  const handler = createA2AHandler({ card: { name: "T", description: "d" }, executor: executor(), ...options });
  const server = serve({ fetch: (request) => handler(request), port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  closers.push(() => {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const post = (body: unknown, headers: Record<string, string> = {}, path = "/a2a") =>
    fetch(base + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  const call = async (method: string, params?: unknown, headers?: Record<string, string>) => {
    const response = await post({ jsonrpc: "2.0", id: 1, method, params }, headers);
    const { result, error } = (await response.json()) as { result?: Answer; error?: Answer };
    return error ?? result;
  };
  const send = (text: string, message: object = {}, params: object = {}, headers?: Record<string, string>) =>
    call("message/send", { message: { role: "user", parts: [{ text }], ...message }, ...params }, headers);
  return { base, post, call, send };
}

describe("the card", () => {
  it("is the same at both well-known paths and as the extended card, with the address it was asked at", async () => {
    const { base, call } = await start();
    const cards = await Promise.all(
      ["agent-card.json", "agent.json"].map(async (name) => (await fetch(`${base}/.well-known/${name}`)).json()),
    );
    expect(cards[0]).toMatchObject({ name: "T", url: `${base}/a2a` });
    expect(cards[1]).toEqual(cards[0]);
    expect(await call("agent/getAuthenticatedExtendedCard", {})).toEqual(cards[0]);
  });

  it("follows an input and an address that change", async () => {
    let name = "one";
    const { base } = await start({
      card: () => ({ name, description: "d" }),
      url: () => `https://${name}.example/a2a`,
    });
    const read = async () => (await fetch(`${base}/.well-known/agent-card.json`)).json();
    expect(await read()).toMatchObject({ name: "one", url: "https://one.example/a2a" });
    name = "two";
    expect(await read()).toMatchObject({ name: "two", url: "https://two.example/a2a" });
  });
});

describe("paths and methods outside JSON-RPC", () => {
  it("answer with a status and a detail (A4)", async () => {
    const { base, post } = await start({ bodyLimitBytes: 1000 });
    const outcome = async (response: Promise<Response>) => {
      const { status, headers } = await response;
      return [status, headers.get("allow"), typeof ((await (await response).json()) as { detail: unknown }).detail];
    };
    expect(await outcome(fetch(`${base}/nowhere`))).toEqual([404, null, "string"]);
    expect(await outcome(fetch(`${base}/a2a`))).toEqual([405, "POST", "string"]);
    expect(await outcome(fetch(`${base}/.well-known/agent.json`, { method: "POST" }))).toEqual([
      405,
      "GET, HEAD",
      "string",
    ]);
    expect(await outcome(post("{}", { "content-type": "text/plain" }))).toEqual([415, null, "string"]);
    expect(await outcome(post("{}", { "content-type": "application/jsonp" }))).toEqual([415, null, "string"]);
    expect(await outcome(post(`"${"x".repeat(1000)}"`))).toEqual([413, null, "string"]);
    const chunks = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 20; i++) controller.enqueue(new Uint8Array(100).fill(32));
        controller.close();
      },
    });
    const chunked = { method: "POST", body: chunks, duplex: "half", headers: { "content-type": "application/json" } };
    expect(await outcome(fetch(`${base}/a2a`, chunked as RequestInit))).toEqual([413, null, "string"]);
  });

  it("tolerate a trailing slash, a query, parameters of the type and the a2a type", async () => {
    const { post } = await start();
    const body = { jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: "x" } };
    for (const [type, path] of [
      ["application/json; charset=utf-8", "/a2a/"],
      ["application/a2a+json", "/a2a?x=1"],
    ] as const) {
      const response = await post(body, { "content-type": type }, path);
      expect([response.status, ((await response.json()) as Answer).error.code]).toEqual([200, -32001]);
    }
  });
});

describe("errors (A4)", () => {
  it("of the request are JSON-RPC errors under HTTP 200 and the caller's id", async () => {
    const { post } = await start();
    const answer = async (body: unknown, headers?: Record<string, string>) => {
      const response = await post(body, headers);
      const { id, error } = (await response.json()) as Answer;
      return [response.status, id, error.code];
    };
    const request = { jsonrpc: "2.0", id: "a", method: "message/send", params: {} };
    expect(await answer("{nope")).toEqual([200, null, -32700]);
    expect(await answer([request])).toEqual([200, null, -32600]);
    expect(await answer({ ...request, method: "message/unsend" })).toEqual([200, "a", -32601]);
    expect(await answer({ ...request, method: "SendMessage" })).toEqual([200, "a", -32601]);
    expect(await answer({ ...request, method: "toString" })).toEqual([200, "a", -32601]);
    expect(await answer(request)).toEqual([200, "a", -32602]);
    expect(await answer(request, { "a2a-version": "2.0" })).toEqual([200, "a", -32009]);
    expect(await answer(request, { "a2a-version": "1.0" })).toEqual([200, "a", -32601]);
    expect(await answer(request, { "a2a-version": "0.3.7" })).toEqual([200, "a", -32602]);
    expect(await answer(request, { "idempotency-key": "x".repeat(300) })).toEqual([200, "a", -32602]);
    for (const name of ["set", "get", "list", "delete"]) {
      expect(await answer({ ...request, method: `tasks/pushNotificationConfig/${name}` })).toEqual([200, "a", -32003]);
    }
  });

  it("reads the version from the query where no header names one (A1)", async () => {
    const { post } = await start();
    const response = await post({ jsonrpc: "2.0", id: 1, method: "x" }, {}, "/a2a?A2A-Version=2.0");
    expect(await response.json()).toMatchObject({
      error: { code: -32009, data: [{ reason: "VERSION_NOT_SUPPORTED", metadata: { supportedVersions: "0.3,1.0" } }] },
    });
  });

  it("of the host are generic, with an id that also reaches onError", async () => {
    const errors: [unknown, string][] = [];
    const broken = { ...executor(), read: async () => Promise.reject(new Error("secret cause")) } as AgentExecutor;
    const { call } = await start({ executor: broken, onError: (error, id) => errors.push([error, id]) });
    const error = await call("tasks/get", { id: "t" });
    expect(error).toEqual({ code: -32603, message: "Internal error", data: { errorId: expect.any(String) } });
    expect(errors).toEqual([[expect.objectContaining({ message: "secret cause" }), error.data.errorId]]);
  });

  it("for want of room set status and Retry-After (A9)", async () => {
    const full = { ...executor(), submit: async () => Promise.reject(new OverloadedError(429, "100 turns wait", 7)) };
    const { post } = await start({ executor: full });
    const params = { message: { role: "user", parts: [{ text: "x" }] } };
    const response = await post({ jsonrpc: "2.0", id: 5, method: "message/send", params });
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "7"]);
    expect(await response.json()).toEqual({
      jsonrpc: "2.0",
      id: 5,
      error: { code: -32603, message: "100 turns wait" },
    });
  });

  it("answers any body with a JSON-RPC response, or a notification with none, and never fails", async () => {
    const handler = createA2AHandler({ card: { name: "T", description: "d" }, executor: executor() });
    const method = fc.constantFrom(
      "message/send",
      "message/stream",
      "tasks/get",
      "tasks/cancel",
      "tasks/resubscribe",
      "agent/getAuthenticatedExtendedCard",
      "constructor",
      "",
    );
    const body = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc
        .record(
          { jsonrpc: fc.constantFrom("2.0", 2), id: fc.jsonValue(), method, params: fc.jsonValue() },
          { requiredKeys: [] },
        )
        .map((value) => JSON.stringify(value)),
    );
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const response = await handler(
          new Request("http://x/a2a", { method: "POST", headers: { "content-type": "application/json" }, body: text }),
        );
        if (response.status === 204) {
          expect([await response.text(), Object.keys(JSON.parse(text)).includes("id")]).toEqual(["", false]);
          return;
        }
        const json = (await response.text()).replace(/^data: /, "");
        const answer = JSON.parse(json) as Record<string, unknown>;
        expect([response.status, answer.jsonrpc, "id" in answer]).toEqual([200, "2.0", true]);
        expect("result" in answer).not.toBe("error" in answer);
      }),
    );
  });
});

describe("message/send", () => {
  it("waits and returns the whole task (A10)", async () => {
    const { send } = await start();
    expect(await send("hello", { contextId: "c1" })).toMatchObject({
      kind: "task",
      contextId: "c1",
      status: { state: "completed", timestamp: expect.stringMatching(/Z$/) },
      artifacts: [{ name: "answer", parts: [{ kind: "text", text: "hello" }] }],
      history: [{ kind: "message", role: "user" }],
    });
  });

  it("returns the working task at once where the caller does not wait, and as much history as asked for", async () => {
    const { send } = await start();
    const task = await send("wait", {}, { configuration: { blocking: false, historyLength: 0 } });
    expect(task).toMatchObject({ kind: "task", status: { state: "working" } });
    expect(task).not.toHaveProperty("history");
  });

  it("merges request metadata over the message's own", async () => {
    const { send } = await start();
    const task = await send("s:", { metadata: { skill: "a" } }, { metadata: { skill: "b" } });
    expect(task.artifacts[0].parts[0].text).toBe("s:b");
  });

  it("reports to a failed task's caller that it failed, not why", async () => {
    const causes: unknown[] = [];
    const { send } = await start({ executor: executor((error) => causes.push(error)) });
    const task = await send("fail");
    expect(task.status).toMatchObject({ state: "failed", message: { role: "agent" } });
    expect(JSON.stringify(task)).not.toContain("secret");
    expect(causes).toHaveLength(1);
  });

  it("starts a long answer with white space and ends it with the task (A10)", async () => {
    const { post, call } = await start({ keepAliveMs: 5 });
    const params = {
      message: { role: "user", parts: [{ text: "ask" }], contextId: "c" },
      configuration: { blocking: false },
    };
    const parked = await call("message/send", { ...params });
    const waiting = await post({
      jsonrpc: "2.0",
      id: 1,
      method: "message/send",
      params: { message: { role: "user", parts: [{ text: "wait" }], messageId: "w" } },
    });
    const reader = waiting.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = (await reader.read()).value ?? "";
    while (text.length < 3) text += (await reader.read()).value ?? "";
    expect([text.trim(), waiting.headers.get("x-accel-buffering")]).toEqual(["", "no"]);
    await reader.cancel();
    expect(await call("tasks/get", { id: parked.id })).toMatchObject({ status: { state: "input-required" } });
  });

  it("delivers the task at the end of the white space", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = inMemoryExecutor(async function* () {
      await gate;
      yield { text: "done" };
    });
    const { post } = await start({ executor: slow, keepAliveMs: 5 });
    const response = await post({
      jsonrpc: "2.0",
      id: 9,
      method: "message/send",
      params: { message: { role: "user", parts: [{ text: "x" }] } },
    });
    release();
    const text = await response.text();
    expect(text.startsWith(" ")).toBe(true);
    expect(JSON.parse(text)).toMatchObject({ id: 9, result: { status: { state: "completed" } } });
  });
});

describe("messages to a task (A9)", () => {
  it("answer a parked one, with or without its context", async () => {
    const { send } = await start();
    for (const withContext of [true, false]) {
      const parked = await send("ask");
      expect(parked.status).toMatchObject({
        state: "input-required",
        message: {
          parts: [
            { kind: "text", text: "Which city?" },
            { kind: "data", mimeType: "application/vnd.agent-service.hitl-v1+json" },
          ],
        },
      });
      const done = await send("Rome", { taskId: parked.id, ...(withContext && { contextId: parked.contextId }) });
      expect(done).toMatchObject({
        id: parked.id,
        status: { state: "completed" },
        artifacts: [{ parts: [{ text: "you said Rome" }] }],
      });
      expect(done.history.map((item: Answer) => item.parts[0].text)).toEqual(["ask", "Rome"]);
    }
  });

  it("take the answer of a data part that names the prompt, and refuse one that is no longer pending (A13)", async () => {
    const { send } = await start();
    const parked = await send("ask");
    const { promptId } = parked.status.message.parts[1].data;
    const reply = (id: string) => ({
      taskId: parked.id,
      parts: [{ kind: "data", data: { promptId: id, answer: "Oslo" } }],
    });
    expect(await send("", reply("other"))).toMatchObject({ code: -32002 });
    expect(await send("", reply(promptId))).toMatchObject({ artifacts: [{ parts: [{ text: "you said Oslo" }] }] });
    expect(await send("", reply(promptId))).toMatchObject({ code: -32002 });
    expect(await send("", { ...reply(promptId), taskId: "unknown" })).toMatchObject({ code: -32002 });
  });

  it("start a new task in the context of one that does not wait, and of none for an unknown one", async () => {
    const { send } = await start();
    const done = await send("one");
    const next = await send("two", { taskId: done.id });
    expect(next).toMatchObject({ contextId: done.contextId, status: { state: "completed" } });
    expect(next.id).not.toBe(done.id);
    expect(next.history[0].taskId).toBe(next.id);
    expect(await send("three", { taskId: "unknown", contextId: "mine" })).toMatchObject({ contextId: "mine" });
  });

  it("are refused where task and context do not belong together", async () => {
    const { send } = await start();
    const parked = await send("ask");
    const error = await send("Rome", { taskId: parked.id, contextId: "another" });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("contextId") });
  });
});

describe("tasks/get and tasks/cancel", () => {
  it("show the task, and -32001 for one that is unknown or another class's (A16)", async () => {
    const authenticate = (request: Request) => ({ class: request.headers.get("x-class") ?? "operator" });
    const { send, call } = await start({ authenticate });
    const own = await send("x");
    expect(await call("tasks/get", { id: own.id })).toEqual(own);
    expect(await call("tasks/get", { id: own.id, historyLength: 0 })).not.toHaveProperty("history");
    expect(await call("tasks/get", { id: "nope" })).toMatchObject({ code: -32001 });
    const federation = { "x-class": "federation" };
    expect(await call("tasks/get", { id: own.id }, federation)).toMatchObject({ code: -32001 });
    expect(await call("tasks/cancel", { id: own.id }, federation)).toMatchObject({ code: -32001 });
    const theirs = await send("y", {}, {}, federation);
    expect(await call("tasks/get", { id: theirs.id })).toEqual(theirs);
  });

  it("cancel a running and a parked task, and leave a terminal one unchanged (A8)", async () => {
    const { send, call } = await start();
    const running = await send("wait", {}, { configuration: { blocking: false } });
    const canceled = await call("tasks/cancel", { id: running.id });
    expect(canceled.status.state).toBe("canceled");
    expect(await call("tasks/cancel", { id: running.id })).toEqual(canceled);
    const parked = await send("ask");
    expect((await call("tasks/cancel", { id: parked.id })).status.state).toBe("canceled");
    const done = await send("x");
    expect(await call("tasks/cancel", { id: done.id })).toEqual(done);
  });
});

describe("repeating a request (A15)", () => {
  it("finds the same task under the same key, by header or metadata, and refuses another request", async () => {
    const { send } = await start();
    const key = { "idempotency-key": "k1" };
    const first = await send("x", {}, {}, key);
    expect((await send("x", {}, {}, key)).id).toBe(first.id);
    expect(await send("y", {}, {}, key)).toMatchObject({ code: -32602 });
    const byMetadata = await send("x", {}, { metadata: { idempotencyKey: "k2" } });
    expect((await send("x", {}, { metadata: { idempotencyKey: "k2" } })).id).toBe(byMetadata.id);
    for (const configuration of [{ blocking: false }, { historyLength: 1 }, { acceptedOutputModes: ["text/plain"] }]) {
      expect(await send("x", {}, { configuration }, key), JSON.stringify(configuration)).toMatchObject({
        code: -32602,
      });
    }
    expect((await send("x", {}, { configuration: { blocking: true } }, key)).id).toBe(first.id);
    expect((await send("x", { messageId: "m" })).id).not.toBe((await send("x", { messageId: "m" })).id);
  });

  it("covers replies: a repeated one finds its task although that no longer waits", async () => {
    const { send } = await start();
    const parked = await send("ask");
    const key = { "idempotency-key": "r" };
    const done = await send("Rome", { taskId: parked.id }, {}, key);
    expect(await send("Rome", { taskId: parked.id }, {}, key)).toEqual(done);
  });
});

describe("the host's part", () => {
  it("may refuse a caller, and its failure is not revealed", async () => {
    const refused = await start({ authenticate: () => Response.json({ detail: "no" }, { status: 401 }) });
    expect((await refused.post({})).status).toBe(401);
    expect((await fetch(`${refused.base}/.well-known/agent-card.json`)).status).toBe(200);
    const broken = await start({ authenticate: () => Promise.reject(new Error("db down")), onError: () => {} });
    expect(await broken.call("tasks/get", { id: "x" })).toMatchObject({ code: -32603, message: "Internal error" });
  });

  it("may bring the caller itself", async () => {
    const seen: unknown[] = [];
    const handler = createA2AHandler({
      card: { name: "T", description: "d" },
      executor: { ...executor(), read: async (_, call) => void seen.push(call) },
      authenticate: () => Promise.reject(new Error("not asked")),
    });
    const request = () =>
      new Request("http://x/a2a", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"t"}}',
      });
    await handler(request(), { caller: { class: "federation" } });
    expect(seen).toEqual([{ caller: { class: "federation" }, version: "0.3" }]);
  });

  it("declares extensions; active ones are echoed, passed on, and demanded where required [R10-3.3.4-6, R03-T:ext-1]", async () => {
    const card = { name: "T", description: "d", extensions: [{ uri: "urn:a" }, { uri: "urn:b", required: true }] };
    const { post } = await start({ card });
    const body = { jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: "x" } };
    expect(await (await post(body)).json()).toMatchObject({ error: { code: -32008 } });
    const accepted = await post(
      { ...body, method: "message/send", params: { message: { role: "user", parts: [{ text: "x" }] } } },
      { "x-a2a-extensions": "urn:b, urn:unknown" },
    );
    expect([accepted.headers.get("x-a2a-extensions"), ((await accepted.json()) as Answer).result.kind]).toEqual([
      "urn:b",
      "task",
    ]);
  });
});

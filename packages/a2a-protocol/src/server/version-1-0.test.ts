/** Version 1.0 over JSON-RPC, as its callers see it. */
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { afterEach, describe, expect, it } from "vitest";
import { createSseParser, type SseEvent } from "../stream/index.ts";
import { type AgentExecutor, createA2AHandler, inMemoryExecutor, type Submission } from "./index.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers as loosely as a caller would
type Answer = any;

const agent = () =>
  inMemoryExecutor(async function* ({ text, ask, signal }) {
    if (text === "ask twice") yield { text: (await ask("One?")) + (await ask("Two?")) };
    else if (text === "ask") yield { text: `you said ${await ask("Which city?")}` };
    else if (text === "wait")
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    else yield { text };
  });

async function start(executor: AgentExecutor = agent(), extensions: string[] = []) {
  const card = { name: "T", description: "d", extensions: extensions.map((uri) => ({ uri })) };
  const handler = createA2AHandler({ card, executor });
  const server = serve({ fetch: (request) => handler(request), port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  closers.push(() => {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const post = (method: string, params?: unknown, headers: Record<string, string> = {}) =>
    fetch(`${base}/a2a`, {
      method: "POST",
      headers: { "content-type": "application/json", "a2a-version": "1.0", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
  const call = async (method: string, params?: unknown, headers?: Record<string, string>): Promise<Answer> => {
    const { result, error } = (await (await post(method, params, headers)).json()) as Answer;
    return error ?? result;
  };
  const events = async (method: string, params?: unknown): Promise<Answer[]> => {
    const parser = createSseParser();
    const seen: SseEvent[] = parser.push(new Uint8Array(await (await post(method, params)).arrayBuffer()));
    return seen.map(({ id, data }) => ({ ...(JSON.parse(data) as object), id }));
  };
  const open = async function* (method: string, params?: unknown): AsyncGenerator<Answer> {
    const parser = createSseParser();
    for await (const piece of (await post(method, params)).body!) {
      for (const { id, data } of parser.push(piece)) yield { ...(JSON.parse(data) as object), id };
    }
  };
  return { base, post, call, events, open };
}

const messageParams = (text: string, extra: object = {}) => ({
  message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }], ...extra },
});
const reasonOf = ({ code, data }: Answer) => [code, data?.[0]?.reason];

describe("a send of 1.0", () => {
  it("brings the task under its key, with 1.0's names and without kinds [R10-3.1.1-1]", async () => {
    const { call } = await start();
    const result = await call("SendMessage", messageParams("hello"));
    expect(result).toMatchObject({
      task: { status: { state: "TASK_STATE_COMPLETED" }, artifacts: [{ parts: [{ text: "hello" }] }] },
    });
    expect(JSON.stringify(result)).not.toContain('"kind"');
    const { task } = result;
    expect(await call("GetTask", { id: task.id })).toEqual(task);
    expect(await call("GetTask", { id: task.id, historyLength: 0 })).not.toHaveProperty("history");
  });

  it("returns the working task where the caller does not wait (A10), which can be canceled once (A8)", async () => {
    const { call } = await start();
    const { task } = await call("SendMessage", {
      ...messageParams("wait"),
      configuration: { returnImmediately: true },
    });
    expect(task.status.state).toBe("TASK_STATE_WORKING");
    const canceled = await call("CancelTask", { id: task.id });
    expect(canceled).toMatchObject({ id: task.id, status: { state: "TASK_STATE_CANCELED" } });
    expect(await call("CancelTask", { id: task.id })).toEqual(canceled);
    const { task: over } = await call("SendMessage", messageParams("over"));
    expect(reasonOf(await call("CancelTask", { id: over.id }))).toEqual([-32002, "TASK_NOT_CANCELABLE"]);
    expect(await call("tasks/cancel", { id: over.id }, { "a2a-version": "0.3" })).toMatchObject({ id: over.id });
  });

  it("of a reply answers a parked task, with or without its context (A9)", async () => {
    const { call } = await start();
    const { task } = await call("SendMessage", messageParams("ask"));
    expect(task.status).toMatchObject({
      state: "TASK_STATE_INPUT_REQUIRED",
      message: {
        role: "ROLE_AGENT",
        parts: [{ text: "Which city?" }, { mediaType: expect.stringMatching(/hitl-v1/) }],
      },
    });
    const other = messageParams("Rome", { taskId: task.id, contextId: "another" });
    expect(reasonOf(await call("SendMessage", other))).toEqual([-32602, "INVALID_PARAMS"]);
    expect(await call("SendMessage", messageParams("Rome", { taskId: task.id }))).toMatchObject({
      task: { id: task.id, artifacts: [{ parts: [{ text: "you said Rome" }] }] },
    });
  });

  it("to a task that is over or unknown is refused, where 0.3 starts a new one (A9)", async () => {
    const { call } = await start();
    const { task } = await call("SendMessage", messageParams("first"));
    expect(reasonOf(await call("SendMessage", messageParams("x", { taskId: task.id })))).toEqual([
      -32004,
      "UNSUPPORTED_OPERATION",
    ]);
    expect(reasonOf(await call("SendMessage", messageParams("x", { taskId: "nope" })))).toEqual([
      -32001,
      "TASK_NOT_FOUND",
    ]);
    const old = { message: { role: "user", parts: [{ text: "x" }], taskId: task.id } };
    expect(await call("message/send", old, { "a2a-version": "0.3" })).toMatchObject({ contextId: task.contextId });
  });

  it("to a working task steers it where the executor can, and is refused where not (A9)", async () => {
    const steered: [string, Submission][] = [];
    const base = agent();
    const plain = await start(base);
    const { task } = await plain.call("SendMessage", {
      ...messageParams("wait"),
      configuration: { returnImmediately: true },
    });
    expect(reasonOf(await plain.call("SendMessage", messageParams("faster", { taskId: task.id })))[0]).toBe(-32004);
    const { call } = await start({
      ...base,
      async steer(taskId, message, context) {
        steered.push([taskId, message]);
        const reading = await base.read(taskId, context);
        return reading ?? Promise.reject(new Error("gone"));
      },
    });
    const request = { ...messageParams("faster", { taskId: task.id }), configuration: { returnImmediately: true } };
    expect(await call("SendMessage", request)).toMatchObject({ task: { id: task.id } });
    expect(steered).toMatchObject([[task.id, { message: { parts: [{ text: "faster" }] } }]]);
    await call("CancelTask", { id: task.id });
  });
});

describe("a stream of 1.0", () => {
  it("begins with the task, numbers its events, with one payload each, and ends with the state (A6)", async () => {
    const { events } = await start();
    const seen = await events("SendStreamingMessage", messageParams("hello"));
    expect(seen.map(({ result }) => Object.keys(result))).toEqual([
      ["task"],
      ["artifactUpdate"],
      ["artifactUpdate"],
      ["statusUpdate"],
    ]);
    expect(seen[0].result.task.status.state).toBe("TASK_STATE_WORKING");
    expect(seen[1].result.artifactUpdate).toMatchObject({ artifact: { parts: [{ text: "hello" }] } });
    expect(seen[1].result.artifactUpdate).not.toHaveProperty("append");
    expect(seen[2].result.artifactUpdate).toMatchObject({ lastChunk: true });
    expect(seen[3].result.statusUpdate.status.state).toBe("TASK_STATE_COMPLETED");
    expect(JSON.stringify(seen)).not.toMatch(/"kind"|"final"/);
    const numbers = seen.map(({ id }) => Number(id));
    expect(numbers).toEqual([1, 2, 3, 4]);
  });

  it("subscribed to stays open while its task waits for input, however often, and ends with it (A7)", async () => {
    const { call, open } = await start();
    const { task } = await call("SendMessage", messageParams("ask twice"));
    const stream = open("SubscribeToTask", { id: task.id });
    expect((await stream.next()).value.result).toEqual({ task });
    const answer = messageParams("Rome", { taskId: task.id });
    await call("SendMessage", answer);
    const rest: Answer[] = [];
    for await (const { result } of stream) {
      rest.push(result.statusUpdate?.status.state ?? "artifact");
      if (rest.length === 2) await call("SendMessage", answer);
    }
    const working = "TASK_STATE_WORKING";
    const asked = [working, "TASK_STATE_INPUT_REQUIRED", working];
    expect(rest).toEqual([...asked, "artifact", "artifact", "TASK_STATE_COMPLETED"]);
  });

  it("of a task that is over is refused, but for the rest of one that broke (A7)", async () => {
    const { call, events } = await start();
    const seen = await events("SendStreamingMessage", messageParams("ask"));
    const { task } = seen[0].result;
    expect(seen.at(-1).result.statusUpdate.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    await call("CancelTask", { id: task.id });
    expect(reasonOf(await call("SubscribeToTask", { id: task.id }))).toEqual([-32004, "UNSUPPORTED_OPERATION"]);
    // A stream that broke is resumed all the same (A20).
    const rest = await events("SubscribeToTask", { id: task.id, metadata: { after: Number(seen.at(-1).id) } });
    expect(rest.map(({ result }) => result.statusUpdate?.status.state)).toEqual([undefined, "TASK_STATE_CANCELED"]);
    const end = { id: task.id, metadata: { after: Number(rest.at(-1).id) } };
    expect(reasonOf(await call("SubscribeToTask", end))).toEqual([-32004, "UNSUPPORTED_OPERATION"]);
    expect(reasonOf(await call("SubscribeToTask", { id: "nope" }))).toEqual([-32001, "TASK_NOT_FOUND"]);
  });
});

describe("negotiation (A1)", () => {
  it("takes the header, then the query, then 0.3; only major and minor count", async () => {
    const { base, call } = await start();
    for (const version of ["1.0", "1.0.1", " 1.0 "]) {
      expect(reasonOf(await call("GetTask", { id: "x" }, { "a2a-version": version }))[0], version).toBe(-32001);
    }
    for (const version of ["1.1", "2.0", "1", "x"]) {
      expect(reasonOf(await call("GetTask", { id: "x" }, { "a2a-version": version })), version).toEqual([
        -32009,
        "VERSION_NOT_SUPPORTED",
      ]);
    }
    expect((await call("GetTask", { id: "x" }, { "a2a-version": "0.3" })).code).toBe(-32601);
    expect((await call("GetTask", { id: "x" }, { "a2a-version": "" })).code).toBe(-32601);
    expect((await call("tasks/get", { id: "x" })).code).toBe(-32601);
    const response = await fetch(`${base}/a2a?A2A-Version=1.0`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "x" } }),
    });
    expect(reasonOf(((await response.json()) as Answer).error)).toEqual([-32001, "TASK_NOT_FOUND"]);
  });

  it("gives errors before any method in the version asked for, and -32003 to the push methods [R10-3.3.4-2]", async () => {
    const { base, call } = await start();
    const response = await fetch(`${base}/a2a`, {
      method: "POST",
      headers: { "content-type": "application/json", "a2a-version": "1.0" },
      body: "{nope",
    });
    expect(await response.json()).toMatchObject({
      id: null,
      error: { code: -32700, data: [{ reason: "PARSE_ERROR" }] },
    });
    for (const name of ["Create", "Get", "Delete"]) {
      expect((await call(`${name}TaskPushNotificationConfig`, {})).code).toBe(-32003);
    }
    expect((await call("ListTaskPushNotificationConfigs", {})).code).toBe(-32003);
  });

  it("activates extensions by 1.0's header and echoes them in it [R10-T:ext-1]", async () => {
    const { post } = await start(agent(), ["urn:a", "urn:b"]);
    const response = await post("GetTask", { id: "x" }, { "a2a-extensions": "urn:b, urn:c" });
    expect(response.status).toBe(200);
    const sent = await post("SendMessage", messageParams("hi"), { "a2a-extensions": "urn:b, urn:c" });
    expect([sent.headers.get("a2a-extensions"), sent.headers.get("x-a2a-extensions")]).toEqual(["urn:b", null]);
  });

  it("gives the extended card in 1.0's form", async () => {
    const { call } = await start();
    const card = await call("GetExtendedAgentCard", {});
    expect(card).toMatchObject({ name: "T", capabilities: { extendedAgentCard: true } });
    expect(card).not.toHaveProperty("protocolVersion");
  });
});

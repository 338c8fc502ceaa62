/** HTTP+JSON of both versions, as its callers see it (A2). */
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { afterEach, describe, expect, it } from "vitest";
import { OverloadedError } from "../../error/index.ts";
import { createSseParser } from "../../stream/index.ts";
import {
  type A2AHandlerOptions,
  type AgentExecutor,
  createA2AHandler,
  inMemoryExecutor,
  type TaskReading,
} from "../index.ts";
import { restTarget } from "./rest-path.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers as loosely as a caller would
type Answer = any;

const agent = () =>
  inMemoryExecutor(async function* ({ text, ask, signal }) {
    if (text === "ask") yield { text: `you said ${await ask("Which city?")}` };
    else if (text === "wait")
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    else yield { text };
  });

const V1 = { "a2a-version": "1.0" };
const JSON_TYPE = { "content-type": "application/json" };

async function start(executor: AgentExecutor = agent(), options: Partial<A2AHandlerOptions> = {}) {
  const handler = createA2AHandler({ card: { name: "T", description: "d" }, executor, ...options });
  const server = serve({ fetch: (request) => handler(request), port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  closers.push(() => {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(base + path, {
      method,
      headers: { ...(method === "POST" && JSON_TYPE), ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.headers.get("content-type") !== "text/event-stream") {
      return { status: response.status, headers: response.headers, body: (text && JSON.parse(text)) as Answer };
    }
    const events = createSseParser().push(new TextEncoder().encode(text));
    const frames = events.map(({ data }) => JSON.parse(data) as Answer);
    return { status: response.status, headers: response.headers, body: undefined as Answer, events, frames };
  };
  return { base, ask };
}

const messageParams = (text: string, extra: object = {}) => ({
  message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }], ...extra },
});
const oldSaying = (text: string) => ({ message: { role: "user", parts: [{ text }] } });

describe("HTTP+JSON of 1.0", () => {
  it("sends, reads and cancels with bare results", async () => {
    const { ask } = await start();
    const sent = await ask("POST", "/a2a/message:send", messageParams("hello"), V1);
    expect([sent.status, sent.headers.get("content-type")]).toEqual([200, "application/json"]);
    const { task } = sent.body;
    expect(task).toMatchObject({
      status: { state: "TASK_STATE_COMPLETED" },
      artifacts: [{ parts: [{ text: "hello" }] }],
    });
    expect((await ask("GET", `/a2a/tasks/${task.id}`, undefined, V1)).body).toEqual(task);
    const short = await ask("GET", `/a2a/tasks/${task.id}/?historyLength=0&A2A-Version=1.0`);
    expect(short.body).not.toHaveProperty("history");
    const waiting = { ...messageParams("wait"), configuration: { returnImmediately: true } };
    const { id } = (await ask("POST", "/a2a/message:send", waiting, V1)).body.task;
    const canceled = await ask("POST", `/a2a/tasks/${id}:cancel`, undefined, V1);
    expect(canceled.body).toMatchObject({ id, status: { state: "TASK_STATE_CANCELED" } });
    const card = await ask("GET", "/a2a/extendedAgentCard", undefined, V1);
    expect(card.body).toMatchObject({ name: "T", capabilities: { extendedAgentCard: true } });
  });

  it("streams bare frames with numbers, and subscribes by GET and POST", async () => {
    const { base, ask } = await start();
    const { frames = [], events = [] } = await ask("POST", "/a2a/message:stream", messageParams("hello"), V1);
    expect(frames.map((frame) => Object.keys(frame))).toEqual([
      ["task"],
      ["artifactUpdate"],
      ["artifactUpdate"],
      ["statusUpdate"],
    ]);
    expect(events.every(({ id }) => /^\d+$/.test(id))).toBe(true);
    const { task } = (await ask("POST", "/a2a/message:send", messageParams("ask"), V1)).body;
    const methods = ["GET", "POST"];
    const streams = await Promise.all(
      methods.map((method) => fetch(`${base}/a2a/tasks/${task.id}:subscribe`, { method, headers: V1 })),
    );
    await fetch(`${base}/a2a/tasks/${task.id}:cancel`, { method: "POST", headers: V1 });
    for (const stream of streams) {
      const joined = createSseParser().push(new Uint8Array(await stream.arrayBuffer()));
      expect(JSON.parse(joined[0]!.data)).toEqual({ task });
      expect(JSON.parse(joined.at(-1)!.data).statusUpdate.status.state).toBe("TASK_STATE_CANCELED");
    }
    expect((await ask("HEAD", `/a2a/tasks/${task.id}:subscribe`, undefined, V1)).status).toBe(405);
  });

  it("returns errors as google.rpc.Status with the HTTP status of their kind [R10-11.6-3]", async () => {
    const { ask } = await start();
    const unknown = await ask("GET", "/a2a/tasks/nope", undefined, V1);
    expect([unknown.status, unknown.body]).toEqual([
      404,
      {
        error: {
          code: 404,
          status: "NOT_FOUND",
          message: "Task not found: nope",
          details: [
            {
              "@type": "type.googleapis.com/google.rpc.ErrorInfo",
              reason: "TASK_NOT_FOUND",
              domain: "a2a-protocol.org",
            },
          ],
        },
      },
    ]);
    const { task } = (await ask("POST", "/a2a/message:send", messageParams("over"), V1)).body;
    const cases: [string, string, unknown, Record<string, string>, number, string, string][] = [
      ["POST", "/a2a/message:send", "{", V1, 400, "INVALID_ARGUMENT", "PARSE_ERROR"],
      ["POST", "/a2a/message:send", {}, V1, 400, "INVALID_ARGUMENT", "INVALID_PARAMS"],
      ["GET", "/a2a/tasks/x?historyLength=some", undefined, V1, 400, "INVALID_ARGUMENT", "INVALID_PARAMS"],
      ["POST", "/a2a/tasks/x:cancel", "[]", V1, 400, "INVALID_ARGUMENT", "INVALID_REQUEST"],
      ["POST", `/a2a/tasks/${task.id}:cancel`, {}, V1, 400, "FAILED_PRECONDITION", "TASK_NOT_CANCELABLE"],
      ["GET", `/a2a/tasks/${task.id}:subscribe`, undefined, V1, 400, "FAILED_PRECONDITION", "UNSUPPORTED_OPERATION"],
      [
        "GET",
        "/a2a/tasks/x/pushNotificationConfigs",
        undefined,
        V1,
        400,
        "FAILED_PRECONDITION",
        "PUSH_NOTIFICATION_NOT_SUPPORTED",
      ],
      ["GET", "/a2a/tasks/x", undefined, { "a2a-version": "3.0" }, 400, "FAILED_PRECONDITION", "VERSION_NOT_SUPPORTED"],
    ];
    for (const [method, path, body, headers, http, status, reason] of cases) {
      const { status: got, body: error } = await ask(method, path, body, headers);
      expect([got, error.error.code, error.error.status, error.error.details[0].reason], path).toEqual([
        http,
        http,
        status,
        reason,
      ]);
    }
  });

  it("returns a host's failure without its cause, and overload with Retry-After", async () => {
    const base = agent();
    const read = async (id: string) => {
      throw id === "full" ? new OverloadedError(503, "The store is full", 7) : new Error("secret cause");
    };
    const { ask } = await start({ ...base, read }, { onError: () => {} });
    const failed = await ask("GET", "/a2a/tasks/x", undefined, V1);
    expect([failed.status, failed.body.error.status]).toEqual([500, "INTERNAL"]);
    expect(JSON.stringify(failed.body)).not.toContain("secret");
    const full = await ask("GET", "/a2a/tasks/full", undefined, V1);
    expect([full.status, full.body.error.code, full.body.error.status, full.headers.get("retry-after")]).toEqual([
      503,
      503,
      "UNAVAILABLE",
      "7",
    ]);
  });
});

describe("HTTP+JSON of 0.3", () => {
  it("is what a request without a version gets (the aliases of B17), and what /v1 serves", async () => {
    const { ask } = await start();
    for (const prefix of ["/a2a", "/v1"]) {
      const { task } = (await ask("POST", `${prefix}/message:send`, oldSaying("hello"))).body;
      expect(task).toMatchObject({ kind: "task", status: { state: "completed" } });
      expect((await ask("GET", `${prefix}/tasks/${task.id}`)).body).toEqual(task);
      expect((await ask("POST", `${prefix}/tasks/${task.id}:cancel`)).body).toEqual(task);
      const again = await ask("GET", `${prefix}/tasks/${task.id}:subscribe`);
      expect(again.frames).toMatchObject([{ task: { id: task.id } }, { statusUpdate: { final: true } }]);
      const { frames = [] } = await ask("POST", `${prefix}/message:stream`, oldSaying("hello"));
      expect(frames.map((frame) => Object.keys(frame)[0])).toEqual([
        "task",
        "artifactUpdate",
        "artifactUpdate",
        "statusUpdate",
      ]);
      expect(frames.at(-1).statusUpdate).toMatchObject({ kind: "status-update", final: true });
    }
    expect((await ask("GET", "/v1/card")).body).toMatchObject({ name: "T", protocolVersion: "0.3.0" });
  });

  it("answers a version that contradicts /v1 with -32009, and errors with code and detail", async () => {
    const { ask } = await start();
    const other = await ask("POST", "/v1/message:send", oldSaying("x"), V1);
    expect([other.status, other.body.code]).toEqual([400, -32009]);
    expect((await ask("GET", "/v1/tasks/nope", undefined, { "a2a-version": "0.3" })).body).toEqual({
      code: -32001,
      message: "Task not found: nope",
      detail: "Task not found: nope",
    });
  });
});

it("an error after the answer began is in its body under 200 [DEV-late-error]", async () => {
  const failure = Promise.withResolvers<never>();
  const executor = agent();
  const submit: AgentExecutor["submit"] = async (...args) => ({
    ...((await executor.submit(...args)) as TaskReading),
    settled: () => failure.promise,
  });
  const { base } = await start({ ...executor, submit }, { keepAliveMs: 10, onError: () => {} });
  const response = await fetch(`${base}/a2a/message:send`, {
    method: "POST",
    headers: { ...JSON_TYPE, ...V1 },
    body: JSON.stringify(messageParams("hello")),
  });
  expect(response.status).toBe(200);
  failure.reject(new Error("disk gone"));
  expect(((await response.json()) as Answer).error).toMatchObject({ code: 500, message: "Internal error" });
});

describe("the guards of HTTP+JSON", () => {
  it("takes JSON alone, within the limit, by the methods each path has (A4)", async () => {
    const { ask } = await start(agent(), { bodyLimitBytes: 100 });
    const outcome = async (...args: Parameters<typeof ask>) => {
      const { status, body } = await ask(...args);
      return [status, typeof body.detail];
    };
    const text = { "content-type": "text/plain" };
    expect(await outcome("POST", "/a2a/tasks/x:cancel", undefined, text)).toEqual([415, "string"]);
    expect(await outcome("POST", "/a2a/message:send", "x".repeat(101))).toEqual([413, "string"]);
    expect(await outcome("GET", "/a2a/message:send")).toEqual([405, "string"]);
    expect((await ask("GET", "/a2a/tasks/x:cancel")).headers.get("allow")).toBe("POST");
    for (const path of ["/a2a/nothing", "/a2a/tasks/a/b", "/a2a/tasks//", "/v1/nothing", "/a2a/tasks/%zz"]) {
      expect(await outcome("GET", path), path).toEqual([404, "string"]);
    }
  });

  it("takes a POST without body and content type for an empty object, but not from another site's page (A4) [DEV-bare-post]", async () => {
    const { base } = await start();
    const { host } = new URL(base);
    const post = async (headers: Record<string, string>, body?: BodyInit) => {
      const init = {
        method: "POST",
        headers: { ...V1, ...headers },
        ...(body !== undefined && { body, duplex: "half" }),
      };
      return (await fetch(`${base}/a2a/tasks/x:cancel`, init as RequestInit)).status;
    };
    expect(await post({})).toBe(404);
    expect(await post({ origin: `http://${host}` })).toBe(404);
    expect(await post({ origin: "https://evil.example", "sec-fetch-site": "same-origin" })).toBe(404);
    expect(await post({ origin: "https://evil.example" })).toBe(415);
    expect(await post({ origin: "null" })).toBe(415);
    expect(await post({ "sec-fetch-site": "cross-site" })).toBe(415);
    // Bytes have no content type of their own.
    expect(await post({}, new TextEncoder().encode("{}"))).toBe(415);
    expect(await post({}, new Blob(["{}"]).stream())).toBe(415);
  });

  it("checks the caller before anything else", async () => {
    const { ask } = await start(agent(), {
      authenticate: (request) =>
        request.headers.has("authorization") ? { class: "operator" } : new Response("{}", { status: 401 }),
    });
    expect((await ask("GET", "/a2a/tasks/x", undefined, V1)).status).toBe(401);
    expect((await ask("GET", "/a2a/tasks/x", undefined, { ...V1, authorization: "a" })).status).toBe(404);
  });

  it("finds the id of a task whatever is in it", () => {
    expect(restTarget("GET", "/tasks/a%3Ab%2Fc")).toEqual({ operation: "get", id: "a:b/c" });
    expect(restTarget("POST", "/tasks/a:b:cancel")).toEqual({ operation: "cancel", id: "a:b" });
    const config = { id: "a", config: "c" };
    expect(restTarget("DELETE", "/tasks/a/pushNotificationConfigs/c")).toEqual({ operation: "push-delete", ...config });
    expect(restTarget("GET", "/tasks/a/pushNotificationConfig/c/")).toEqual({ operation: "push-get", ...config });
    expect(restTarget("POST", "/tasks/a/pushNotificationConfig")).toEqual({ operation: "push-set", id: "a" });
    expect(restTarget("PUT", "/tasks/a/pushNotificationConfigs")).toEqual({ allowed: ["GET", "POST"] });
    expect(restTarget("GET", "/tasks")).toEqual({ operation: "list" });
    expect(restTarget("PUT", "/tasks")).toEqual({ allowed: ["GET"] });
  });
});

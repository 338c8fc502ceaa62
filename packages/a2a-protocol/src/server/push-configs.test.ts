/** Webhooks' registration in both versions and both bindings, over an executor that keeps them (W1). */
import { describe, expect, it } from "vitest";
import { A2AError, taskNotFound } from "../error/index.ts";
import { MAX_PUSH_CONFIGS, type PushNotificationConfig } from "../push/index.ts";
import { type AgentExecutor, type CallContext, createA2AHandler, inMemoryExecutor, type Submission } from "./index.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers as loosely as a caller would
type Answer = any;

const OLD = {};
const NEW = { "a2a-version": "1.0" };
const URL_A = "https://hook.example/a";

/** An executor that stores configs; `kept` and `versions` are what reached it. */
function withPushConfigs() {
  const base = inMemoryExecutor(async function* ({ text }) {
    yield { text };
  });
  const kept = new Map<string, PushNotificationConfig>();
  const versions: string[] = [];
  const submissions: Submission[] = [];
  const known = async (taskId: string, call: CallContext) => {
    if ((await base.read(taskId, call)) === undefined) throw taskNotFound(taskId);
  };
  const of = (taskId: string) => [...kept.values()].filter((config) => config.taskId === taskId);
  const executor: AgentExecutor = {
    ...base,
    submit(submission, call) {
      submissions.push(submission);
      return base.submit(submission, call);
    },
    pushConfigs: {
      async set(config, call) {
        await known(config.taskId, call);
        if (config.url.includes("refused")) throw new A2AError("INVALID_PARAMS", "url: is not a public address");
        kept.set(`${config.taskId} ${config.id}`, config);
        versions.push(call.version);
        return config;
      },
      async get(taskId, id, call) {
        await known(taskId, call);
        return kept.get(`${taskId} ${id}`);
      },
      async list(taskId, { pageSize = MAX_PUSH_CONFIGS, pageToken = "0" }, call) {
        await known(taskId, call);
        const next = Number(pageToken) + pageSize;
        const configs = of(taskId);
        return {
          configs: configs.slice(Number(pageToken), next),
          ...(next < configs.length && { nextPageToken: String(next) }),
        };
      },
      async delete(taskId, id, call) {
        await known(taskId, call);
        kept.delete(`${taskId} ${id}`);
      },
    },
  };
  return { executor, kept, versions, submissions };
}

function start() {
  const parts = withPushConfigs();
  const handler = createA2AHandler({ card: { name: "T", description: "d" }, executor: parts.executor });
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const request = new Request(`http://agent.example${path}`, {
      method,
      headers: { ...(method === "POST" && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const response = await handler(request);
    return { status: response.status, body: (await response.json()) as Answer };
  };
  const call = async (method: string, params: unknown, headers: Record<string, string> = OLD): Promise<Answer> => {
    const { body } = await ask("POST", "/a2a", { jsonrpc: "2.0", id: 1, method, params }, headers);
    return "error" in body ? body.error : body.result;
  };
  const newTask = async (): Promise<string> =>
    (await call("message/send", { message: { role: "user", parts: [{ text: "hi" }] } })).id;
  return { ...parts, ask, call, newTask };
}

describe("a webhook of 0.3", () => {
  it("is set, read, listed and removed, and its token is never shown", async () => {
    const { call, newTask, kept, versions } = start();
    const taskId = await newTask();
    const set = await call("tasks/pushNotificationConfig/set", {
      taskId,
      pushNotificationConfig: {
        url: URL_A,
        token: "s3cret",
        authentication: { schemes: ["Bearer"], credentials: "c4" },
      },
    });
    const shown = {
      taskId,
      pushNotificationConfig: { id: taskId, url: URL_A, authentication: { schemes: ["Bearer"] } },
    };
    expect(set).toEqual(shown);
    expect([...kept.values()]).toEqual([
      {
        id: taskId,
        taskId,
        url: URL_A,
        token: "s3cret",
        authentication: { scheme: "Bearer", credentials: "c4" },
      },
    ]);
    expect(versions).toEqual(["0.3"]);
    for (const params of [
      { id: taskId },
      { taskId },
      { id: taskId, pushNotificationConfigId: taskId },
      { taskId, id: taskId },
    ]) {
      expect(await call("tasks/pushNotificationConfig/get", params), JSON.stringify(params)).toEqual(shown);
    }
    expect(await call("tasks/pushNotificationConfig/list", { id: taskId })).toEqual([shown]);
    expect(await call("tasks/pushNotificationConfig/list", { taskId })).toEqual([shown]);
    expect(await call("tasks/pushNotificationConfig/delete", { taskId })).toBeNull();
    expect(await call("tasks/pushNotificationConfig/delete", { id: taskId, pushNotificationConfigId: "x" })).toBeNull();
    expect(await call("tasks/pushNotificationConfig/list", { id: taskId })).toEqual([]);
    expect((await call("tasks/pushNotificationConfig/get", { id: taskId })).code).toBe(-32001);
  });

  it("keeps several configs of a task apart by their ids, and replaces one of the same id", async () => {
    const { call, newTask } = start();
    const taskId = await newTask();
    const set = (id: string, url: string) =>
      call("tasks/pushNotificationConfig/set", { taskId, pushNotificationConfig: { id, url } });
    await set("a", URL_A);
    await set("b", `${URL_A}b`);
    await set("a", `${URL_A}2`);
    const listed = await call("tasks/pushNotificationConfig/list", { id: taskId });
    expect(listed.map((one: Answer) => one.pushNotificationConfig)).toEqual([
      { id: "a", url: `${URL_A}2` },
      { id: "b", url: `${URL_A}b` },
    ]);
    // Without an id: the one that goes by the task's, which is none of these, so the first.
    expect((await call("tasks/pushNotificationConfig/get", { id: taskId })).pushNotificationConfig.id).toBe("a");
    expect((await call("tasks/pushNotificationConfig/get", { id: taskId, pushNotificationConfigId: "c" })).code).toBe(
      -32001,
    );
    await call("tasks/pushNotificationConfig/delete", { id: taskId, pushNotificationConfigId: "a" });
    expect(await call("tasks/pushNotificationConfig/list", { id: taskId })).toHaveLength(1);
  });

  it("takes the bearer scheme where it is among those offered, else the first", async () => {
    const { call, newTask, kept } = start();
    const taskId = await newTask();
    const schemeOf = async (authentication: object) => {
      await call("tasks/pushNotificationConfig/set", {
        taskId,
        pushNotificationConfig: { url: URL_A, authentication },
      });
      return kept.get(`${taskId} ${taskId}`)?.authentication;
    };
    expect(await schemeOf({ credentials: "c" })).toEqual({ scheme: "Bearer", credentials: "c" });
    expect(await schemeOf({ schemes: [], credentials: "c" })).toEqual({ scheme: "Bearer", credentials: "c" });
    expect(await schemeOf({ schemes: ["Basic", "bearer"] })).toEqual({ scheme: "bearer" });
    expect(await schemeOf({ schemes: ["Basic"], credentials: "c" })).toEqual({ scheme: "Basic", credentials: "c" });
  });
});

describe("a webhook of 1.0", () => {
  it("is created, read, listed in pages and removed in the flat shape [R10-3.1.8-1, R10-3.1.8-2, R10-3.1.9-1, R10-3.1.10-1, R10-3.1.10-2]", async () => {
    const { call, newTask, kept, versions } = start();
    const taskId = await newTask();
    const config = {
      taskId,
      id: "a",
      url: URL_A,
      token: "s3cret",
      authentication: { scheme: "Basic", credentials: "c4" },
    };
    const shown = { id: "a", taskId, url: URL_A, authentication: { scheme: "Basic" } };
    expect(await call("CreateTaskPushNotificationConfig", config, NEW)).toEqual(shown);
    expect([...kept.values()]).toEqual([config]);
    expect(versions).toEqual(["1.0"]);
    expect(await call("CreateTaskPushNotificationConfig", { taskId, url: URL_A, id: "", token: "" }, NEW)).toEqual({
      id: taskId,
      taskId,
      url: URL_A,
    });
    expect(await call("GetTaskPushNotificationConfig", { taskId, id: "a" }, NEW)).toEqual(shown);
    const all = await call("ListTaskPushNotificationConfigs", { taskId }, NEW);
    expect(all).toEqual({ configs: [shown, { id: taskId, taskId, url: URL_A }] });
    const first = await call("ListTaskPushNotificationConfigs", { taskId, pageSize: 1 }, NEW);
    expect(first).toEqual({ configs: [shown], nextPageToken: "1" });
    const second = await call("ListTaskPushNotificationConfigs", { taskId, page_size: 1, page_token: "1" }, NEW);
    expect(second).toEqual({ configs: [{ id: taskId, taskId, url: URL_A }] });
    expect(await call("DeleteTaskPushNotificationConfig", { taskId, id: "a" }, NEW)).toEqual({});
    expect(await call("DeleteTaskPushNotificationConfig", { taskId, id: "a" }, NEW)).toEqual({});
    const gone = await call("GetTaskPushNotificationConfig", { taskId, id: "a" }, NEW);
    expect([gone.code, gone.data[0].reason]).toEqual([-32001, "TASK_NOT_FOUND"]);
  });

  it("is read in snake_case too (A19), and its tenant is taken and ignored: the card offers none", async () => {
    const { call, newTask } = start();
    const taskId = await newTask();
    expect(await call("CreateTaskPushNotificationConfig", { tenant: "x", task_id: taskId, url: URL_A }, NEW)).toEqual({
      id: taskId,
      taskId,
      url: URL_A,
    });
    expect(await call("GetTaskPushNotificationConfig", { task_id: taskId, id: taskId }, NEW)).toMatchObject({ taskId });
  });
});

describe("a webhook over HTTP+JSON", () => {
  it("of 1.0 takes the config as the body and answers bare", async () => {
    const { ask, newTask } = start();
    const taskId = await newTask();
    const path = `/a2a/tasks/${taskId}/pushNotificationConfigs`;
    const shown = { id: "a b", taskId, url: URL_A };
    expect(await ask("POST", path, { id: "a b", url: URL_A, token: "t" }, NEW)).toEqual({ status: 200, body: shown });
    expect((await ask("GET", `${path}/a%20b`, undefined, NEW)).body).toEqual(shown);
    expect((await ask("GET", `${path}/?pageSize=5`, undefined, NEW)).body).toEqual({ configs: [shown] });
    expect(await ask("DELETE", `${path}/a%20b`, undefined, NEW)).toEqual({ status: 200, body: {} });
    expect((await ask("GET", `${path}/a%20b`, undefined, NEW)).status).toBe(404);
    expect((await ask("DELETE", path, undefined, NEW)).status).toBe(405);
  });

  it("has the alias of B17, which takes the config or the params of set (A2)", async () => {
    const { ask, newTask, kept } = start();
    const taskId = await newTask();
    for (const [prefix, last] of [
      ["/a2a", "pushNotificationConfig"],
      ["/a2a", "pushNotificationConfigs/"],
      ["/v1", "pushNotificationConfigs"],
    ]) {
      const path = `${prefix}/tasks/${taskId}/${last}`;
      const shown = { taskId, pushNotificationConfig: { id: taskId, url: URL_A } };
      expect((await ask("POST", path, { url: URL_A, token: "s3cret" })).body, path).toEqual(shown);
      expect(kept.get(`${taskId} ${taskId}`)?.token).toBe("s3cret");
      expect((await ask("POST", path, { taskId: "other", pushNotificationConfig: { url: URL_A } })).body).toEqual(
        shown,
      );
      expect((await ask("GET", path)).body, path).toEqual([shown]);
      expect((await ask("GET", `/v1/tasks/${taskId}/pushNotificationConfigs/${taskId}`)).body).toEqual(shown);
      const removed = await ask("DELETE", `/v1/tasks/${taskId}/pushNotificationConfigs/${taskId}`);
      expect(removed).toEqual({ status: 200, body: {} });
    }
  });
});

describe("what a registration is refused for (A4, W1)", () => {
  it("is a bad address, a token no header carries, and too much of anything", async () => {
    const { call, newTask, kept } = start();
    const taskId = await newTask();
    const bad: [string, object][] = [
      ["url", {}],
      ["url", { url: "" }],
      ["url", { url: "/relative" }],
      ["url", { url: "ftp://hook.example/" }],
      ["url", { url: "javascript:alert(1)" }],
      ["url", { url: `https://hook.example/${"a".repeat(2048)}` }],
      ["url", { url: 5 }],
      ["url", { url: "https://refused.example/" }],
      ["token", { url: URL_A, token: "a\r\nX-Evil: 1" }],
      ["token", { url: URL_A, token: "a\n" }],
      ["token", { url: URL_A, token: " a" }],
      ["token", { url: URL_A, token: "é" }],
      ["token", { url: URL_A, token: "a".repeat(4097) }],
      ["token", { url: URL_A, token: 5 }],
      ["id", { url: URL_A, id: "a\nb" }],
      ["id", { url: URL_A, id: "a".repeat(1025) }],
    ];
    const badOld: [string, object][] = [
      ...bad,
      ["authentication.credentials", { url: URL_A, authentication: { credentials: "a\rb" } }],
      ["authentication.schemes", { url: URL_A, authentication: { schemes: ["Bearer x"] } }],
      ["authentication.schemes", { url: URL_A, authentication: { schemes: Array(17).fill("Basic") } }],
      ["authentication", { url: URL_A, authentication: "Bearer" }],
    ];
    for (const [field, config] of badOld) {
      const error = await call("tasks/pushNotificationConfig/set", { taskId, pushNotificationConfig: config });
      expect([error.code, error.message], JSON.stringify(config).slice(0, 80)).toEqual([
        -32602,
        expect.stringContaining(field),
      ]);
    }
    const badNew: [string, object][] = [
      ...bad,
      ["authentication.scheme", { url: URL_A, authentication: {} }],
      ["authentication.scheme", { url: URL_A, authentication: { scheme: "" } }],
      ["authentication.scheme", { url: URL_A, authentication: { scheme: "a".repeat(65) } }],
      ["authentication.credentials", { url: URL_A, authentication: { scheme: "Basic", credentials: "a\r\nb" } }],
    ];
    for (const [field, config] of badNew) {
      const error = await call("CreateTaskPushNotificationConfig", { ...config, taskId }, NEW);
      expect([error.code, error.message], JSON.stringify(config).slice(0, 80)).toEqual([
        -32602,
        expect.stringContaining(field),
      ]);
      // What was refused may be a secret: an error never quotes it.
      expect(error.message).not.toContain("Evil");
    }
    expect(kept.size).toBe(0);
  });

  it("is a task that does not exist, or is not named", async () => {
    const { call } = start();
    const named = { taskId: "nope", id: "nope" };
    expect((await call("tasks/pushNotificationConfig/list", { id: "nope" })).code).toBe(-32001);
    expect((await call("tasks/pushNotificationConfig/delete", { id: "nope" })).code).toBe(-32001);
    expect((await call("CreateTaskPushNotificationConfig", { taskId: "nope", url: URL_A }, NEW)).code).toBe(-32001);
    for (const method of ["Get", "Delete"]) {
      expect((await call(`${method}TaskPushNotificationConfig`, named, NEW)).code).toBe(-32001);
      expect((await call(`${method}TaskPushNotificationConfig`, { taskId: "nope" }, NEW)).code).toBe(-32602);
    }
    for (const method of ["set", "get", "list", "delete"]) {
      const params = method === "set" ? { pushNotificationConfig: { url: URL_A } } : {};
      expect((await call(`tasks/pushNotificationConfig/${method}`, params)).code, method).toBe(-32602);
    }
  });
});

describe("a webhook that comes with a message (A10)", () => {
  it("reaches the executor with the message, in both versions", async () => {
    const { call, submissions } = start();
    await call("message/send", {
      message: { role: "user", parts: [{ text: "hi" }] },
      configuration: { pushNotificationConfig: { url: URL_A, token: "t" } },
    });
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] };
    const inline = { taskId: "", id: "mine", url: URL_A, authentication: { scheme: "Bearer", credentials: "c" } };
    await call("SendMessage", { message, configuration: { task_push_notification_config: inline } }, NEW);
    expect(submissions.map(({ pushConfig }) => pushConfig)).toEqual([
      { url: URL_A, token: "t" },
      { id: "mine", url: URL_A, authentication: { scheme: "Bearer", credentials: "c" } },
    ]);
  });

  it("is checked as any other, before anything is accepted", async () => {
    const { call, submissions } = start();
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] };
    const inline = { url: URL_A, token: "a\nb" };
    const error = await call("SendMessage", { message, configuration: { taskPushNotificationConfig: inline } }, NEW);
    expect([error.code, submissions.length]).toEqual([-32602, 0]);
  });

  it("is refused with -32003 where the agent sends no webhooks, as its card declares [R10-3.3.4-2]", async () => {
    const without = inMemoryExecutor(async function* () {
      yield { text: "x" };
    });
    const cardOf = async (executor: AgentExecutor) => {
      const handler = createA2AHandler({ card: { name: "T", description: "d" }, executor });
      const card = await handler(new Request("http://agent.example/.well-known/agent-card.json"));
      const body = { jsonrpc: "2.0", id: 1, method: "message/send", params };
      const headers = { "content-type": "application/json" };
      const request = new Request("http://agent.example/a2a", { method: "POST", headers, body: JSON.stringify(body) });
      const { error } = (await (await handler(request)).json()) as Answer;
      return [((await card.json()) as Answer).capabilities.pushNotifications, error?.code];
    };
    const params = {
      message: { role: "user", parts: [{ text: "hi" }] },
      configuration: { pushNotificationConfig: { url: URL_A } },
    };
    expect(await cardOf(without)).toEqual([false, -32003]);
    expect(await cardOf(withPushConfigs().executor)).toEqual([true, undefined]);
  });
});

/** What a peer may reach of the operator's work, by every method of both versions and bindings (A13, A16). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, textParams } from "../testing/index.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

const CONFIG = `
auth: { token: operator-token, federation_token: peer-token }
model: { name: "scripted:demo" }
`;
const OPERATOR = { authorization: "Bearer operator-token" };
const PEER = { authorization: "Bearer peer-token" };
const V1 = { "a2a-version": "1.0" };
const SECRET = "the operator's own words";

let running: TestService;
beforeAll(async () => {
  running = await startTestService({
    config: CONFIG,
    env: { PUSH_NOTIFICATION_ALLOWED_HOSTS: "hooks.test,peer.example" },
  });
});
afterAll(() => running.stop());

interface Way {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: unknown;
}

const rpc = (method: string, params: unknown, headers = {}): Way => ({
  method: "POST",
  path: "/a2a",
  headers,
  body: { jsonrpc: "2.0", id: 1, method, params },
});
const message = (more: object) => ({ messageId: "m", role: "ROLE_USER", parts: [{ text: "join" }], ...more });

/** Ways to the webhooks of a task. */
const webhooksOf = (id: string): { readonly [name: string]: Way } => {
  const url = "https://peer.example/hook";
  const config = { taskId: id, id: "theirs", url };
  return {
    "pushNotificationConfig/set": rpc("tasks/pushNotificationConfig/set", {
      taskId: id,
      pushNotificationConfig: { url },
    }),
    "pushNotificationConfig/get": rpc("tasks/pushNotificationConfig/get", { id }),
    "pushNotificationConfig/list": rpc("tasks/pushNotificationConfig/list", { id }),
    "pushNotificationConfig/delete": rpc("tasks/pushNotificationConfig/delete", {
      id,
      pushNotificationConfigId: "ours",
    }),
    CreateTaskPushNotificationConfig: rpc("CreateTaskPushNotificationConfig", config, V1),
    GetTaskPushNotificationConfig: rpc("GetTaskPushNotificationConfig", { taskId: id, id: "ours" }, V1),
    ListTaskPushNotificationConfigs: rpc("ListTaskPushNotificationConfigs", { taskId: id }, V1),
    DeleteTaskPushNotificationConfig: rpc("DeleteTaskPushNotificationConfig", { taskId: id, id: "ours" }, V1),
    "GET pushNotificationConfig": { method: "GET", path: `/a2a/tasks/${id}/pushNotificationConfig` },
    "POST pushNotificationConfig": {
      method: "POST",
      path: `/a2a/tasks/${id}/pushNotificationConfig`,
      body: { pushNotificationConfig: { url } },
    },
    "GET pushNotificationConfigs in 1.0": {
      method: "GET",
      path: `/a2a/tasks/${id}/pushNotificationConfigs`,
      headers: V1,
    },
    "DELETE a pushNotificationConfig in 1.0": {
      method: "DELETE",
      path: `/a2a/tasks/${id}/pushNotificationConfigs/ours`,
      headers: V1,
    },
  };
};

/** Ways to a task, by what they would do to it. */
const waysTo = (id: string): { readonly [name: string]: Way } => ({
  "tasks/get": rpc("tasks/get", { id }),
  "tasks/cancel": rpc("tasks/cancel", { id }),
  "tasks/resubscribe": rpc("tasks/resubscribe", { id }),
  "tasks/resubscribe with a cursor": rpc("tasks/resubscribe", { id, metadata: { after: 0 } }),
  GetTask: rpc("GetTask", { id }, V1),
  CancelTask: rpc("CancelTask", { id }, V1),
  SubscribeToTask: rpc("SubscribeToTask", { id }, V1),
  "SendMessage to it": rpc("SendMessage", { message: message({ taskId: id }) }, V1),
  "SendStreamingMessage to it": rpc("SendStreamingMessage", { message: message({ taskId: id }) }, V1),
  "GET /a2a/tasks/{id}": { method: "GET", path: `/a2a/tasks/${id}` },
  "GET /a2a/tasks/{id} in 1.0": { method: "GET", path: `/a2a/tasks/${id}`, headers: V1 },
  "GET /v1/tasks/{id}": { method: "GET", path: `/v1/tasks/${id}` },
  "POST :cancel": { method: "POST", path: `/a2a/tasks/${id}:cancel`, body: {} },
  "POST :cancel in 1.0": { method: "POST", path: `/a2a/tasks/${id}:cancel`, headers: V1, body: {} },
  "POST /v1 :cancel": { method: "POST", path: `/v1/tasks/${id}:cancel`, body: {} },
  "GET :subscribe": { method: "GET", path: `/a2a/tasks/${id}:subscribe` },
  "POST :subscribe in 1.0": { method: "POST", path: `/a2a/tasks/${id}:subscribe`, headers: V1, body: {} },
  "POST /a2a/message:send to it": {
    method: "POST",
    path: "/a2a/message:send",
    headers: V1,
    body: { message: message({ taskId: id }) },
  },
});

async function go({ method, path, headers, body }: Way, credential: { readonly [name: string]: string }) {
  const response = await fetch(running.url + path, {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers, ...credential },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const streams = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const text = streams ? await firstEvent(response) : await response.text();
  const data = streams ? text.slice(text.indexOf("data: ") + "data: ".length) : text;
  return { status: response.status, text, json: () => JSON.parse(data) as Json };
}

/** The first event of a stream, which may stay open. */
async function firstEvent({ body }: Response): Promise<string> {
  let text = "";
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString();
    const end = text.indexOf("\n\n");
    if (end >= 0) return text.slice(0, end);
  }
  return text;
}

/** A task of the operator that waits for a person, so that every way would find something to do. */
async function operatorsTask(): Promise<Json> {
  const script = `/call ask_human ${JSON.stringify({ question: SECRET })}`;
  return running.wireAs(OPERATOR).result("message/send", textParams(script));
}

describe("a peer with the id of the operator's task", () => {
  it.each(Object.keys(waysTo("")))("finds nothing by %s", async (name) => {
    const task = await operatorsTask();
    const way = waysTo(task.id)[name]!;
    const answer = await go(way, PEER);
    if (way.path === "/a2a") expect(answer.json().error).toMatchObject({ code: -32001 });
    else expect(answer.status).toBe(404);
    expect(answer.text).not.toContain(SECRET);
    // The response is the same as for an unknown id.
    const nobodys = await go(waysTo("00000000-0000-7000-8000-000000000000")[name]!, PEER);
    expect(answer.text.replaceAll(task.id, "")).toBe(
      nobodys.text.replaceAll("00000000-0000-7000-8000-000000000000", ""),
    );
    expect(answer.status).toBe(nobodys.status);
    const after = await running.wireAs(OPERATOR).result("tasks/get", { id: task.id });
    expect(after).toEqual(task);
  });

  it("starts a task of its own where 0.3 has it so, in a context of its own", async () => {
    const task = await operatorsTask();
    for (const more of [
      { taskId: task.id },
      { taskId: task.id, contextId: task.contextId },
      { contextId: task.contextId },
    ]) {
      const started = await running.wireAs(PEER).say("/say mine", more);
      expect([started.id === task.id, started.status.state]).toEqual([false, "completed"]);
      expect(JSON.stringify(started)).not.toContain(SECRET);
    }
    expect((await running.wireAs(OPERATOR).result("tasks/get", { id: task.id })).status.state).toBe("input-required");
  });

  it("gets the same card as the operator, and no path of the operator's", async () => {
    for (const path of ["/a2a/extendedAgentCard", "/v1/card"]) {
      const [theirs, ours] = await Promise.all([PEER, OPERATOR].map((who) => go({ method: "GET", path }, who)));
      expect([path, theirs?.status, theirs?.text]).toEqual([path, 200, ours?.text]);
    }
    for (const path of ["/message:stream", "/tasks/x:subscribe", "/api/config", "/api/anything", "/agents/other/a2a"]) {
      expect([path, (await go({ method: "POST", path, body: {} }, PEER)).status]).toEqual([path, 403]);
    }
    // The one public path below /api (S3): another method is unknown there for everybody.
    for (const who of [PEER, OPERATOR, {}]) {
      expect((await go({ method: "POST", path: "/api/events", body: {} }, who)).status).toBe(405);
    }
  });
});

describe("the webhooks of the operator's task", () => {
  it.each(Object.keys(webhooksOf("")))("are nothing to a peer, by %s", async (name) => {
    const { id } = await operatorsTask();
    const config = { id: "ours", taskId: id, url: "https://hooks.test/secret-path", token: "hook-token-1" };
    const made = await go(rpc("CreateTaskPushNotificationConfig", config, V1), OPERATOR);
    expect(made.json().error).toBeUndefined();
    const way = webhooksOf(id)[name]!;
    const answer = await go(way, PEER);
    if (way.path === "/a2a") expect(answer.json().error).toMatchObject({ code: -32001 });
    else expect(answer.status).toBe(404);
    expect(answer.text).not.toMatch(/secret-path|hook-token/);
    const kept = await go(rpc("ListTaskPushNotificationConfigs", { taskId: id }, V1), OPERATOR);
    expect(kept.json().result.configs).toMatchObject([{ id: "ours", url: config.url }]);
    expect(kept.text).not.toContain("hook-token");
  });
});

describe("a list of tasks", () => {
  it("has the peer's own tasks for the peer, whatever it asks for, and both classes' for the operator", async () => {
    const contextId = crypto.randomUUID();
    const ours = await running.wireAs(OPERATOR).say(`/say ${SECRET}`, { contextId });
    const theirs = await running.wireAs(PEER).say("/say theirs", { contextId });
    const asks: readonly Json[] = [{}, { contextId }, { includeArtifacts: true, pageSize: 100, historyLength: 10 }];
    for (const asked of asks) {
      const query = new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]));
      const ways = [rpc("ListTasks", asked, V1), { method: "GET", path: `/a2a/tasks?${query}`, headers: V1 } as const];
      for (const way of ways) {
        const peers = await go(way, PEER);
        const { tasks, totalSize } = way.path === "/a2a" ? peers.json().result : peers.json();
        expect(tasks.map(({ id }: Json) => id)).toContain(theirs.id);
        expect(tasks.map(({ id }: Json) => id)).not.toContain(ours.id);
        expect(peers.text).not.toContain(SECRET);
        const operators = await go(way, OPERATOR);
        const all = way.path === "/a2a" ? operators.json().result : operators.json();
        expect(all.tasks.map(({ id }: Json) => id)).toEqual(expect.arrayContaining([ours.id, theirs.id]));
        expect(all.totalSize).toBeGreaterThan(totalSize);
      }
    }
  });

  it("pages on within the class only: the operator's token shows a peer nothing of the operator's", async () => {
    for (let i = 0; i < 3; i++) await running.wireAs(OPERATOR).say(`/say ${SECRET}`);
    const first = await go(rpc("ListTasks", { pageSize: 1 }, V1), OPERATOR);
    const { nextPageToken } = first.json().result;
    expect(nextPageToken).not.toBe("");
    const turned = await go(
      rpc("ListTasks", { pageSize: 100, pageToken: nextPageToken, includeArtifacts: true }, V1),
      PEER,
    );
    expect(turned.text).not.toContain(SECRET);
  });
});

describe("a peer's own task", () => {
  it("is the peer's by every way that reads, and the operator's too", async () => {
    for (const name of Object.keys(waysTo("")).filter((way) => /get|subscribe|cursor/i.test(way))) {
      const { id } = await running.wireAs(PEER).say('/call ask_human {"question":"Q?"}');
      for (const who of [PEER, OPERATOR]) {
        const answer = await go(waysTo(id)[name]!, who);
        expect([name, answer.status, answer.text.includes(id)]).toEqual([name, 200, true]);
        expect([name, answer.text]).toEqual([name, expect.not.stringContaining("-32001")]);
      }
    }
  });

  it("is steered, answered and canceled by both", async () => {
    for (const who of [PEER, OPERATOR]) {
      const parked = await running.wireAs(PEER).say('/call ask_human {"question":"Q?"}');
      const answered = await go(rpc("SendMessage", { message: message({ taskId: parked.id }) }, V1), who);
      expect(answered.json().result.task).toMatchObject({ id: parked.id, status: { state: "TASK_STATE_COMPLETED" } });
      const waiting = await running.wireAs(PEER).say('/call ask_human {"question":"Q?"}');
      const canceled = await go(waysTo(waiting.id).CancelTask!, who);
      expect(canceled.json().result.status.state).toBe("TASK_STATE_CANCELED");
    }
  });
});

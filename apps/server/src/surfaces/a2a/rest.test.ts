/** A2A over HTTP+JSON as the service mounts it (A2, A16, S4). */
import type { Task } from "@a2a-js/sdk-v1";
import { TaskState } from "@a2a-js/sdk-v1";
import { ClientFactory, DefaultAgentCardResolver, RestTransportFactory } from "@a2a-js/sdk-v1/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, streamReader, textOf } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const CONFIG = `
auth: { token: operator-token, federation_token: peer-token }
model: { name: "scripted:demo" }
`;
const OPERATOR = { authorization: "Bearer operator-token" };
const PEER = { authorization: "Bearer peer-token" };
const V1 = { "a2a-version": "1.0" };
const JSON_TYPE = { "content-type": "application/json" };
const LISTED = "https://listed.example";

let running: TestService;
beforeAll(async () => {
  running = await startTestService({ config: CONFIG, env: { A2A_ALLOWED_ORIGINS: LISTED } });
});
afterAll(() => running.stop());

const ask = (method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Response> =>
  fetch(running.url + path, {
    method,
    headers: { ...(method === "POST" && JSON_TYPE), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const json = async (response: Promise<Response>): Promise<Json> => (await response).json();
const old = (text: string) => ({ message: { role: "user", parts: [{ text }] } });
const saying = (text: string) => ({
  message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] },
});

describe("HTTP+JSON", () => {
  it("serves the official 1.x client: card, send, stream, resubscribe, cancel", async () => {
    const fetchImpl: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set("authorization", OPERATOR.authorization);
      headers.set("origin", "https://listed.example");
      return fetch(input, { ...init, headers });
    };
    const sdk = await new ClientFactory({
      transports: [new RestTransportFactory({ fetchImpl })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    }).createFromUrl(running.url);
    const request = (value: string) => ({
      tenant: "",
      message: {
        messageId: crypto.randomUUID(),
        contextId: "",
        taskId: "",
        role: 1,
        parts: [{ content: { $case: "text" as const, value }, metadata: undefined, filename: "", mediaType: "" }],
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      },
      configuration: undefined,
      metadata: undefined,
    });
    expect(await sdk.getAgentCard()).toMatchObject({ capabilities: { extendedAgentCard: true } });
    const task = (await sdk.sendMessage(request('/call calculator {"expression":"6*7"}'))) as Task;
    expect(task.artifacts[0]?.parts[0]?.content?.value).toBe("calculator returned: 42");
    expect(await sdk.getTask({ tenant: "", id: task.id })).toEqual(task);
    await expect(sdk.getTask({ tenant: "", id: "nope" })).rejects.toMatchObject({ name: "TaskNotFoundError" });
    let id = "";
    for await (const { payload } of sdk.sendMessageStream(request("/wait 60000"))) {
      if (payload?.$case === "task") {
        id = payload.value.id;
        break;
      }
    }
    const kinds: (string | undefined)[] = [];
    for await (const { payload } of sdk.resubscribeTask({ tenant: "", id })) {
      kinds.push(payload?.$case);
      if (payload?.$case === "task") {
        const canceled = await sdk.cancelTask({ tenant: "", id, metadata: undefined });
        expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
      }
    }
    expect(kinds).toEqual(["task", "statusUpdate"]);
  });

  it("answers the alias of 0.3 (B17) like tasks/get, and other classes as if there were no task (A16)", async () => {
    const { task } = await json(ask("POST", "/a2a/message:send", OPERATOR, old("hello")));
    expect(textOf(task)).toContain("hello");
    const wire = running.wireAs(OPERATOR);
    expect(await json(ask("GET", `/a2a/tasks/${task.id}`, OPERATOR))).toEqual(
      await wire.result("tasks/get", { id: task.id }),
    );
    const hidden = await ask("GET", `/a2a/tasks/${task.id}`, PEER);
    expect([hidden.status, await hidden.json()]).toMatchObject([404, { code: -32001, detail: expect.any(String) }]);
    expect((await ask("GET", `/a2a/tasks/${task.id}`, {})).status).toBe(401);
    const alias = await ask("GET", `/a2a/tasks/${task.id}/pushNotificationConfig`, OPERATOR);
    expect([alias.status, await alias.json()]).toEqual([200, []]);
    const others = await ask("GET", `/a2a/tasks/${task.id}/pushNotificationConfig`, PEER);
    expect([others.status, await others.json()]).toMatchObject([404, { code: -32001 }]);
    const { task: peers } = await json(ask("POST", "/v1/message:send", PEER, old("hi")));
    expect((await ask("GET", `/v1/tasks/${peers.id}`, OPERATOR)).status).toBe(200);
  });

  it("has root copies of the two streaming paths, for operators and listed origins only", async () => {
    const { task } = await json(ask("POST", "/a2a/message:send", { ...OPERATOR, ...V1 }, saying("hello")));
    const listed = { ...OPERATOR, origin: "https://listed.example" };
    const copies = [
      ["POST", "/message:stream", old("/say hi")],
      ["GET", `/tasks/${task.id}:subscribe`, undefined],
      ["POST", `/tasks/${task.id}:subscribe`, undefined],
    ] as const;
    for (const [method, path, body] of copies) {
      const events = await streamReader(await ask(method, path, listed, body)).rest();
      expect(events.length, path).toBeGreaterThan(1);
      expect((await ask(method, path, PEER, body)).status).toBe(403);
      expect((await ask(method, path, { ...OPERATOR, origin: "https://evil.example" }, body)).status).toBe(403);
      expect((await ask(method, `/a2a${path}`, { ...OPERATOR, origin: "https://evil.example" }, body)).status).toBe(
        403,
      );
    }
    expect((await ask("GET", `/tasks/${task.id}`, OPERATOR)).status).toBe(404);
    expect((await ask("POST", "/message:send", OPERATOR, old("x"))).status).toBe(404);
  });

  it("takes nothing a foreign page can send without asking (S4)", async () => {
    const { task } = await json(
      ask("POST", "/a2a/message:send", OPERATOR, { ...old("/wait 60000"), configuration: { blocking: false } }),
    );
    const cancel = (headers: Record<string, string>) =>
      fetch(`${running.url}/a2a/tasks/${task.id}:cancel`, { method: "POST", headers: { ...OPERATOR, ...headers } });
    expect((await cancel({ "content-type": "text/plain" })).status).toBe(415);
    expect((await cancel({ origin: "https://evil.example" })).status).toBe(415);
    expect((await cancel({ "sec-fetch-site": "cross-site" })).status).toBe(415);
    expect((await json(ask("GET", `/a2a/tasks/${task.id}`, OPERATOR))).status.state).toBe("working");
    const listed = await cancel({ origin: LISTED, "sec-fetch-site": "cross-site" });
    expect([listed.status, ((await listed.json()) as Json).status.state]).toEqual([200, "canceled"]);
  });

  it("subscribes and cancels by a POST without a body, as official clients do (A4)", async () => {
    const { task } = await json(ask("POST", "/a2a/message:send", OPERATOR, old('/call ask_human {"question":"Q?"}')));
    const post = (action: string) =>
      fetch(`${running.url}/a2a/tasks/${task.id}:${action}`, {
        method: "POST",
        headers: { ...OPERATOR, origin: LISTED, "a2a-version": "1.0" },
      });
    const stream = await post("subscribe");
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect(((await (await post("cancel")).json()) as Json).status.state).toBe("TASK_STATE_CANCELED");
    const text = await stream.text();
    expect(text).toContain(`data: {"task":{"id":"${task.id}"`);
    expect(text).toMatch(/data: \{"statusUpdate":.*"TASK_STATE_CANCELED".*\n\n$/);
  });
});

/** Webhooks of the composed service: what receivers get, who may register, and what is refused (W1 to W3, A13, A16, A18). */
import type { AnyTool } from "@agent-service/agent-core/host";
import { manualClock } from "@agent-service/agent-core/testing";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  followEvents,
  type Json,
  temporaryFolders,
  textParams,
  type WebhookReceiver,
  type Wire,
  waitingTool,
  webhookReceiver,
} from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const ALLOWED = { PUSH_NOTIFICATION_ALLOWED_CIDRS: "127.0.0.0/8" };
const V1 = { headers: { "a2a-version": "1.0" } };
const CONFIG = `
model: { name: "scripted:demo" }
auth: { token: operator-token, federation_token: peer-token }
`;

const deed: AnyTool = {
  name: "deed",
  description: "Does something that cannot be undone.",
  input: v.object({ text: v.string() }),
  effect: "effect",
  approval: ({ text }: { text: string }) => ({ title: "Do it?", detail: `About to do ${text}` }),
  run: ({ text }: { text: string }) => `did ${text}`,
};

const waiting = waitingTool();
let running: TestService;
let operator: Wire;
let peer: Wire;
beforeAll(async () => {
  running = await startTestService({ config: CONFIG, env: ALLOWED, tools: [deed, waiting.tool] });
  operator = running.wireAs({ authorization: "Bearer operator-token" });
  peer = running.wireAs({ authorization: "Bearer peer-token" });
});
afterAll(() => running.stop());

const isOver = ({ state = "" }: { state?: string | undefined }): boolean =>
  /completed|failed|canceled/i.test(state.replace("TASK_STATE_", ""));

/** Params of a 0.3 send with a webhook. */
const hooked = (text: string, config: Json, message: Json = {}): Json =>
  textParams(text, message, { configuration: { pushNotificationConfig: config } });
/** Params of a 1.0 send with one. */
const hookedV1 = (text: string, config: Json): Json => ({
  message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] },
  configuration: { taskPushNotificationConfig: config },
});

describe("what a receiver gets", () => {
  it("0.3: status updates from working to the end, which brings the whole answer (W1) [DEV-webhook-0-3]", async () => {
    await using receiver = await webhookReceiver();
    const script = '/call waiting {}\n/then\n/call calculator {"expression":"6*7"}';
    const config = { url: receiver.url, token: "top-level-token" };
    const sent = operator.result("message/send", hooked(script, config));
    // A task that ends before its first webhook was sent causes one.
    await receiver.until(() => true);
    waiting.release();
    const task = await sent;
    const end = await receiver.until(isOver);
    const [first] = receiver.posts;
    expect(first?.body).toEqual({
      kind: "status-update",
      taskId: task.id,
      contextId: task.contextId,
      status: { state: "working", timestamp: expect.any(String) },
      final: false,
    });
    expect(end.body).toMatchObject({
      kind: "status-update",
      taskId: task.id,
      status: { state: "completed", timestamp: task.status.timestamp },
      final: true,
      artifact: { artifactId: "answer", parts: [{ kind: "text", text: "calculator returned: 42" }] },
    });
    for (const { headers, id } of receiver.posts) {
      expect(headers).toMatchObject({
        "content-type": "application/json",
        authorization: "Bearer top-level-token",
        "x-a2a-notification-token": "top-level-token",
      });
      expect(id).toMatch(new RegExp(`^${task.id}/\\d+$`));
    }
    const numbers = receiver.posts.map(({ id }) => Number(id.split("/")[1]));
    expect([numbers[0], numbers]).toEqual([1, numbers.toSorted((a, b) => a - b)]);
  });

  it("1.0: stream responses, on completion the artifact, then the status, under the scheme registered (W1) [R10-4.3.3-1]", async () => {
    await using receiver = await webhookReceiver();
    const authentication = { scheme: "Basic", credentials: "dXNlcjpwYXNz" };
    const sent = hookedV1("/say all done", { url: receiver.url, authentication });
    const { task } = await operator.result("SendMessage", sent, V1);
    await receiver.until(isOver);
    expect(receiver.posts.map(({ body }) => Object.keys(body))).toEqual([
      ["statusUpdate"],
      ["artifactUpdate"],
      ["statusUpdate"],
    ]);
    expect(receiver.posts[1]?.body.artifactUpdate).toMatchObject({
      taskId: task.id,
      artifact: { artifactId: "answer", parts: [{ text: "all done" }] },
      lastChunk: true,
    });
    expect(receiver.states()).toEqual(["TASK_STATE_WORKING", undefined, "TASK_STATE_COMPLETED"]);
    expect(receiver.posts[2]?.headers).toMatchObject({
      "content-type": "application/a2a+json",
      authorization: "Basic dXNlcjpwYXNz",
      "x-a2a-notification-token": "dXNlcjpwYXNz",
    });
    expect(new Set(receiver.posts.map(({ id }) => id)).size).toBe(3);
  });

  it("a question at once, then the outcome of the answer; the config that comes with the answer too", async () => {
    await using receiver = await webhookReceiver();
    await using second = await webhookReceiver();
    const parked = await operator.result(
      "message/send",
      hooked('/call ask_human {"question":"Where?"}', { url: receiver.url }),
    );
    const asked = await receiver.until(({ state }) => state === "input-required");
    expect(asked.body).toMatchObject({
      final: true,
      status: { message: { parts: [{ text: "Where?" }, { kind: "data" }] } },
    });
    const message = { taskId: parked.id, contextId: parked.contextId };
    await operator.result("message/send", hooked("There", { url: second.url, id: "with-the-answer" }, message));
    for (const { until } of [receiver, second]) expect((await until(isOver)).state).toBe("completed");
    const configs = await operator.result("tasks/pushNotificationConfig/list", { id: parked.id });
    expect(configs.map((one: Json) => one.pushNotificationConfig.id)).toEqual([parked.id, "with-the-answer"]);
  });

  it("an ended task's state, set late, in either version [DEV-webhook-late]", async () => {
    await using receiver = await webhookReceiver();
    const task = await operator.say("/say done");
    const pushNotificationConfig = {
      url: receiver.url,
      authentication: { schemes: ["Bearer"], credentials: "late-token" },
    };
    await operator.result("tasks/pushNotificationConfig/set", { taskId: task.id, pushNotificationConfig });
    const late = await receiver.until(isOver);
    expect([late.headers.authorization, late.body.artifact.parts[0].text]).toEqual(["Bearer late-token", "done"]);
    const flat = { taskId: task.id, id: "new", url: receiver.url };
    await operator.result("CreateTaskPushNotificationConfig", flat, V1);
    expect((await receiver.until(({ state }) => state === "TASK_STATE_COMPLETED")).body.statusUpdate.taskId).toBe(
      task.id,
    );
  });

  it("the end of a cancelled and of a failed task", async () => {
    await using receiver = await webhookReceiver();
    const nowait = { blocking: false, pushNotificationConfig: { url: receiver.url } };
    const task = await operator.result("message/send", textParams("/wait 60000", {}, { configuration: nowait }));
    await operator.result("tasks/cancel", { id: task.id });
    expect((await receiver.until(isOver)).state).toBe("canceled");
    await operator.result("message/send", hooked("/fail 400", { url: receiver.url }));
    expect((await receiver.until(({ state }) => state === "failed")).body.status.message.parts[0].text).toContain(
      "400",
    );
  });
});

describe("who registers (A13, A16)", () => {
  it("a peer's webhook gets that an approval waits, never its call; the operator's gets all", async () => {
    await using peers = await webhookReceiver();
    await using operators = await webhookReceiver();
    const task = await peer.result(
      "message/send",
      hooked('/call deed {"text":"something secret"}', { url: peers.url }),
    );
    const pushNotificationConfig = { url: operators.url };
    await operator.result("tasks/pushNotificationConfig/set", { taskId: task.id, pushNotificationConfig });
    const shown = await operators.until(({ state }) => state === "input-required");
    const hidden = await peers.until(({ state }) => state === "input-required");
    expect(JSON.stringify(shown.body)).toContain("something secret");
    expect(JSON.stringify(hidden.body)).not.toContain("something secret");
    await operator.result("tasks/cancel", { id: task.id });
    await peers.until(isOver);
  });

  it("a peer neither sees nor touches what the operator registered, nor webhooks of the operator's tasks", async () => {
    await using receiver = await webhookReceiver();
    const { id } = await operator.result("message/send", hooked("/say hi", { url: receiver.url }));
    const methods = { get: { id }, list: { id }, delete: { id, pushNotificationConfigId: id } };
    for (const [name, params] of Object.entries(methods)) {
      expect(await peer.error(`tasks/pushNotificationConfig/${name}`, params)).toMatchObject({ code: -32001 });
    }
    const set = { taskId: id, pushNotificationConfig: { url: receiver.url } };
    expect(await peer.error("tasks/pushNotificationConfig/set", set)).toMatchObject({ code: -32001 });
    const own = await peer.result("message/send", hooked("/say hi", { url: receiver.url }));
    const taskId = own.id;
    await operator.result("tasks/pushNotificationConfig/set", {
      taskId,
      pushNotificationConfig: { url: receiver.url, id: "op" },
    });
    const seen = async (wire: Wire) =>
      (await wire.result("tasks/pushNotificationConfig/list", { id: taskId })).map(
        (one: Json) => one.pushNotificationConfig.id,
      );
    expect([await seen(peer), await seen(operator)]).toEqual([[taskId], [taskId, "op"]]);
    await peer.result("tasks/pushNotificationConfig/delete", { id: taskId, pushNotificationConfigId: "op" });
    expect(await seen(operator)).toEqual([taskId, "op"]);
    await operator.result("tasks/pushNotificationConfig/delete", { id: taskId, pushNotificationConfigId: taskId });
    expect([await seen(peer), await seen(operator)]).toEqual([[], ["op"]]);
  });
});

describe("configs are set, read, listed and deleted", () => {
  const rest = async (
    method: string,
    path: string,
    body?: unknown,
    version = "0.3",
  ): Promise<{ status: number; body: Json }> => {
    const answer = await fetch(running.url + path, {
      method,
      headers: {
        authorization: "Bearer operator-token",
        "a2a-version": version,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? {} : (JSON.parse(text) as Json) };
  };

  it("in 0.3 over JSON-RPC and the aliases (B17), and never show a secret", async () => {
    await using receiver = await webhookReceiver();
    const { id } = await operator.say("/say hi");
    const pushNotificationConfig = { url: receiver.url, token: "a-secret-token" };
    const set = await operator.result("tasks/pushNotificationConfig/set", { taskId: id, pushNotificationConfig });
    expect(set).toEqual({ taskId: id, pushNotificationConfig: { id, url: receiver.url } });
    expect(await operator.result("tasks/pushNotificationConfig/get", { id })).toEqual(set);
    const path = `/a2a/tasks/${id}/pushNotificationConfig`;
    const alias = await rest("POST", path, { url: receiver.url, id: "alias", token: "another-secret" });
    expect([alias.status, alias.body.pushNotificationConfig]).toEqual([200, { id: "alias", url: receiver.url }]);
    await receiver.until(({ headers }) => headers.authorization === "Bearer another-secret");
    const listed = await rest("GET", path);
    expect(listed.body).toEqual(await operator.result("tasks/pushNotificationConfig/list", { id }));
    expect(JSON.stringify(listed.body)).not.toContain("secret");
    expect(
      await operator.result("tasks/pushNotificationConfig/delete", { id, pushNotificationConfigId: "alias" }),
    ).toBeNull();
    expect(await operator.result("tasks/pushNotificationConfig/list", { id })).toEqual([set]);
  });

  it("in 1.0 over both bindings, page by page", async () => {
    await using receiver = await webhookReceiver();
    const { id: taskId } = await operator.say("/say hi");
    const path = `/a2a/tasks/${taskId}/pushNotificationConfigs`;
    for (const id of ["one", "two", "three"]) {
      const created = await rest("POST", path, { id, url: receiver.url, token: "a-secret-token" }, "1.0");
      expect(created).toEqual({ status: 200, body: { id, taskId, url: receiver.url } });
    }
    const page = await operator.result("ListTaskPushNotificationConfigs", { taskId, pageSize: 2 }, V1);
    expect(page.configs.map(({ id }: Json) => id)).toEqual(["one", "two"]);
    const pageToken = page.nextPageToken;
    const rest2 = await operator.result("ListTaskPushNotificationConfigs", { taskId, pageSize: 2, pageToken }, V1);
    expect([rest2.configs.map(({ id }: Json) => id), rest2.nextPageToken ?? ""]).toEqual([["three"], ""]);
    const foreign = { taskId, pageToken: "of another" };
    expect(await operator.error("ListTaskPushNotificationConfigs", foreign, V1)).toMatchObject({ code: -32602 });
    expect((await rest("DELETE", `${path}/two`, undefined, "1.0")).status).toBeLessThan(300);
    expect((await rest("GET", `${path}/two`, undefined, "1.0")).status).toBe(404);
    expect((await rest("GET", `${path}/one`, undefined, "1.0")).body).toEqual({ id: "one", taskId, url: receiver.url });
  });

  it("sixteen at most for one task", async () => {
    await using receiver = await webhookReceiver();
    const { id: taskId } = await operator.say("/say hi");
    const set = (id: string) => ({ taskId, pushNotificationConfig: { id, url: receiver.url } });
    for (let i = 0; i < 16; i++) await operator.result("tasks/pushNotificationConfig/set", set(`c${i}`));
    const refused = await operator.error("tasks/pushNotificationConfig/set", set("one more"));
    expect(refused).toMatchObject({ code: -32602, message: expect.stringContaining("16") });
    await receiver.count(16);
  });
});

describe("an address that may not be reached (A4, W3)", () => {
  it.each([
    ["http://10.0.0.1/hook"],
    ["http://169.254.169.254/latest/meta-data"],
    ["http://100.64.0.1/"],
    ["http://[::ffff:10.0.0.1]/"],
    ["http://localhost:9/"],
    ["http://user:pass@127.0.0.1/"],
    ["ftp://127.0.0.1/"],
  ])("%s is refused with the reason, in a set and in a send, which starts nothing", async (url) => {
    const { id: taskId } = await operator.say("/say hi");
    const count = async () =>
      (await running.service.core.db.read({ sql: "SELECT count(*) FROM task", args: [] }))[0]?.[0];
    const tasks = await count();
    const set = await operator.error("tasks/pushNotificationConfig/set", { taskId, pushNotificationConfig: { url } });
    const sent = await operator.error("message/send", hooked("/say hi", { url }));
    for (const error of [set, sent])
      expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/url/i) });
    expect(await count()).toEqual(tasks);
  });

  it("is not named by the address it resolves to, and a host the operator names is not asked", async () => {
    await using receiver = await webhookReceiver();
    const named = receiver.url.replace("127.0.0.1", "localhost");
    await using allowing = await startTestService({
      config: 'model: { name: "scripted:demo" }\negress: { allowed_hosts: [localhost] }\n',
    });
    await allowing.wire.result("message/send", hooked("/say hi", { url: named }));
    await receiver.until(isOver);
    const error = await allowing.wire.error("message/send", hooked("/say hi", { url: receiver.url }));
    expect(error.code).toBe(-32602);
  });
});

describe("a delivery that fails (W2)", () => {
  /** Waits until as many POSTs had this outcome, by the service's own count. */
  async function counted(service: TestService, outcome: string, count: number): Promise<void> {
    const line = new RegExp(`webhook_posts_total\\{outcome="${outcome}"\\} ${count}\\n`);
    while (!line.test(await (await fetch(`${service.url}/metrics`)).text()));
  }

  it("is repeated after 1, 3 and 9 s under its id, then given up, counted and logged without secrets", async () => {
    await using receiver = await webhookReceiver();
    const clock = manualClock();
    await using service = await startTestService({ env: ALLOWED, clock });
    const events = await followEvents(service.url);
    receiver.answer(503);
    const task = await service.wire.say("/say done");
    const pushNotificationConfig = { url: `${receiver.url}?key=in-the-path`, token: "a-secret-token" };
    await service.wire.result("tasks/pushNotificationConfig/set", { taskId: task.id, pushNotificationConfig });
    for (const [i, wait] of [1_000, 3_000, 9_000].entries()) {
      await receiver.count(i + 1);
      await counted(service, "retried", i + 1);
      // It frees its slot while it waits for the next try.
      while (service.service.core.features.webhooks.load().active !== 0)
        await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(wait - 1);
      expect(receiver.posts.length).toBe(i + 1);
      await clock.advance(1);
    }
    await receiver.count(4);
    await counted(service, "failed", 1);
    await clock.advance(120_000);
    expect(new Set(receiver.posts.map(({ id }) => id)).size).toBe(1);
    expect(receiver.posts).toHaveLength(4);
    const logged = service.log.join("");
    expect(logged).toContain("a webhook was given up");
    expect(logged).not.toMatch(/a-secret-token|in-the-path/);
    const failed = await events.until(({ topic }) => topic === "webhook.failed");
    const { host } = new URL(receiver.url);
    expect(failed.data).toEqual({ task_id: task.id, config_id: task.id, host });
    const warnings = async () => (await (await fetch(`${service.url}/api/runtime/status`)).json()).warnings.join(" ");
    expect(await warnings()).toContain(`Webhooks to ${host} failed after all tries`);
    receiver.answer(200);
    await service.wire.result("message/send", hooked("/say again", { url: receiver.url }));
    expect((await events.until(({ topic }) => topic === "webhook.recovered")).data).toEqual({ host });
    expect(await warnings()).not.toContain(host);
    await events.close();
  });

  it.each([[404], ["redirect"]] as const)("%s ends it", async (how) => {
    await using receiver = await webhookReceiver();
    const clock = manualClock();
    await using service = await startTestService({ env: ALLOWED, clock });
    receiver.answer(how);
    const task = await service.wire.say("/say done");
    const pushNotificationConfig = { url: receiver.url };
    await service.wire.result("tasks/pushNotificationConfig/set", { taskId: task.id, pushNotificationConfig });
    await counted(service, "failed", 1);
    await clock.advance(120_000);
    expect(receiver.posts.map(({ path }) => path)).toEqual(["/hook"]);
  });

  it("continues after a restart; a task that the restart ends has its webhook (A18)", async () => {
    await using receiver = await webhookReceiver();
    await using hasty = await webhookReceiver();
    const folders = temporaryFolders();
    receiver.answer("vanish");
    const clock = manualClock();
    let ids: string[];
    {
      await using first = await startTestService({ env: ALLOWED, folders, clock });
      const asks = '/call ask_human {"question":"Where?"}';
      const parked = await first.wire.result("message/send", hooked(asks, { url: hasty.url }));
      await hasty.until(({ state }) => state === "input-required");
      const done = await first.wire.say("/say done");
      const set = { taskId: done.id, pushNotificationConfig: { url: receiver.url } };
      await first.wire.result("tasks/pushNotificationConfig/set", set);
      await counted(first, "retried", 1);
      ids = [parked.id, done.id];
    }
    const before = receiver.posts.length;
    receiver.answer(200);
    await using second = await startTestService({ env: ALLOWED, folders, clock });
    const end = await hasty.until(isOver);
    expect([end.state, end.body.status.message.parts[0].text]).toEqual(["failed", expect.stringContaining("restart")]);
    expect(receiver.posts.length).toBe(before);
    await counted(second, "delivered", 1);
    await clock.advance(1_000);
    await receiver.count(before + 1);
    expect(receiver.posts.at(-1)?.id).toBe(receiver.posts[before - 1]?.id);
    expect([end.body.taskId, receiver.posts.at(-1)?.body.taskId]).toEqual(ids);
    await second.stop();
    folders.remove();
  });
});

it("a repeated request with a webhook is one task with one config (A15)", async () => {
  await using receiver: WebhookReceiver = await webhookReceiver();
  const call = { headers: { "idempotency-key": "hooked-once" } };
  const params = hooked("/say once", { url: receiver.url });
  const [one, two] = await Promise.all([
    operator.result("message/send", params, call),
    operator.result("message/send", params, call),
  ]);
  expect(two.id).toBe(one.id);
  await receiver.until(isOver);
  expect(receiver.posts.filter(isOver)).toHaveLength(1);
  expect(await operator.result("tasks/pushNotificationConfig/list", { id: one.id })).toHaveLength(1);
  const other = hooked("/say once", { url: `${receiver.url}/other` });
  expect(await operator.error("message/send", other, call)).toMatchObject({ code: -32602 });
});

it("the card declares webhooks", async () => {
  const card = (await (await fetch(`${running.url}/.well-known/agent-card.json`)).json()) as Json;
  expect(card.capabilities.pushNotifications).toBe(true);
});

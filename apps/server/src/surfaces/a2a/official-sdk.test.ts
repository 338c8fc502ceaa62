/** The service as the official JavaScript SDK, version 0.3, uses it. */
import type { Message, MessageSendParams, Task, TaskStatusUpdateEvent } from "@a2a-js/sdk";
import { A2AClient, ClientFactory, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { webhookReceiver } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const TOKEN = "operator-token";
let running: TestService;
beforeAll(async () => {
  running = await startTestService({
    env: { A2A_AUTH_TOKEN: TOKEN, PUSH_NOTIFICATION_ALLOWED_CIDRS: "127.0.0.0/8" },
  });
});
afterAll(() => running.stop());

const authorized: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set("authorization", `Bearer ${TOKEN}`);
  return fetch(input, { ...init, headers });
};

const message = (text: string, extra: Partial<Message> = {}): MessageSendParams => ({
  message: { kind: "message", messageId: crypto.randomUUID(), role: "user", parts: [{ kind: "text", text }], ...extra },
});

const client = (): Promise<A2AClient> =>
  A2AClient.fromCardUrl(`${running.url}/.well-known/agent-card.json`, { fetchImpl: authorized });

describe("the official 0.3 client", () => {
  it("finds the agent by its card, under its factory too, and reads the extended card", async () => {
    const sdk = await client();
    const card = await sdk.getAgentCard();
    expect(card).toMatchObject({ name: "protoagent", url: `http://127.0.0.1:${running.port}/a2a` });
    const transports = [new JsonRpcTransportFactory({ fetchImpl: authorized })];
    const made = await new ClientFactory({ transports }).createFromUrl(running.url);
    // The card declares an extended one, so this requests it.
    expect(await made.getAgentCard()).toEqual(card);
    await expect((await new ClientFactory().createFromUrl(running.url)).getAgentCard()).rejects.toThrow("401");
  });

  it("sends, and reads the task it got [R03-3.4.3-1, R03-3.4.3-2, R03-11.1.2-1]", async () => {
    const sdk = await client();
    const sent = await sdk.sendMessage(message('/call calculator {"expression":"6*7"}'));
    if (!("result" in sent)) expect.fail(JSON.stringify(sent));
    const task = sent.result as Task;
    expect(task).toMatchObject({
      kind: "task",
      status: { state: "completed" },
      artifacts: [{ parts: [{ kind: "text", text: "calculator returned: 42" }] }],
    });
    expect(await sdk.getTask({ id: task.id })).toMatchObject({ result: task });
    expect(await sdk.getTask({ id: "nope" })).toMatchObject({ error: { code: -32001 } });
  });

  it("streams, loses the connection, resubscribes and sees the end [R03-3.4.3-1, R03-3.4.3-2, R03-11.3-1]", async () => {
    const sdk = await client();
    let id = "";
    for await (const event of sdk.sendMessageStream(message("/say begun\n/wait 100\n/say done"))) {
      if (event.kind === "task") id = event.id;
      // Leaving the loop breaks the connection.
      if (event.kind === "artifact-update") break;
    }
    const seen: string[] = [];
    let last: TaskStatusUpdateEvent | undefined;
    for await (const event of sdk.resubscribeTask({ id })) {
      seen.push(event.kind);
      if (event.kind === "status-update") last = event;
    }
    expect(seen[0]).toBe("task");
    expect(last).toMatchObject({ final: true, status: { state: "completed" } });
  });

  it("cancels a running task, and its stream ends", async () => {
    const sdk = await client();
    const states: string[] = [];
    for await (const event of sdk.sendMessageStream(message("/wait 60000"))) {
      if (event.kind === "task") {
        const canceled = await sdk.cancelTask({ id: event.id });
        expect(canceled).toMatchObject({ result: { id: event.id, status: { state: "canceled" } } });
      }
      if (event.kind === "status-update") states.push(event.status.state);
    }
    expect(states).toEqual(["canceled"]);
  });

  it("is asked a question, and answers it [R03-11.3-1]", async () => {
    const sdk = await client();
    let parked: TaskStatusUpdateEvent | undefined;
    for await (const event of sdk.sendMessageStream(message('/call ask_human {"question":"Where?"}'))) {
      if (event.kind === "status-update") parked = event;
    }
    expect(parked).toMatchObject({ final: true, status: { state: "input-required" } });
    const answer = message("There", { taskId: parked?.taskId ?? "", contextId: parked?.contextId ?? "" });
    expect(await sdk.sendMessage(answer)).toMatchObject({
      result: { id: parked?.taskId, artifacts: [{ parts: [{ text: "ask_human returned: There" }] }] },
    });
  });

  it("registers, reads, lists and removes webhooks, and gets the task's webhooks", async () => {
    await using receiver = await webhookReceiver();
    const sdk = await client();
    const configuration = {
      blocking: true,
      pushNotificationConfig: { id: "inline", url: receiver.url, token: "s3cret" },
    };
    const sent = await sdk.sendMessage({ ...message("/say done"), configuration });
    if (!("result" in sent)) expect.fail(JSON.stringify(sent));
    const { id } = sent.result as Task;
    const end = await receiver.until(({ state }) => state === "completed");
    expect(end.headers["x-a2a-notification-token"]).toBe("s3cret");
    expect(end.body as unknown as TaskStatusUpdateEvent).toMatchObject({
      kind: "status-update",
      taskId: id,
      final: true,
    });
    const set = await sdk.setTaskPushNotificationConfig({
      taskId: id,
      pushNotificationConfig: {
        id: "late",
        url: receiver.url,
        authentication: { schemes: ["Bearer"], credentials: "c" },
      },
    });
    expect(set).toMatchObject({ result: { taskId: id, pushNotificationConfig: { id: "late", url: receiver.url } } });
    await receiver.until(({ headers }) => headers.authorization === "Bearer c");
    const listed = await sdk.listTaskPushNotificationConfig({ id });
    if (!("result" in listed)) expect.fail(JSON.stringify(listed));
    expect(listed.result.map((one) => one.pushNotificationConfig.id)).toEqual(["inline", "late"]);
    const named = { id, pushNotificationConfigId: "late" };
    expect(await sdk.getTaskPushNotificationConfig(named)).toMatchObject({ result: { taskId: id } });
    expect(await sdk.deleteTaskPushNotificationConfig(named)).toMatchObject({ result: null });
    expect(await sdk.getTaskPushNotificationConfig(named)).toMatchObject({ error: { code: -32001 } });
  });
});

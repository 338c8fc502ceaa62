/** The service as the official JavaScript SDK, version 1.x, uses it. */

import { Role, type SendMessageRequest, type StreamResponse, type Task, TaskState } from "@a2a-js/sdk-v1";
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk-v1/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitingTool, webhookReceiver } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const TOKEN = "operator-token";
const waiting = waitingTool();
let running: TestService;
beforeAll(async () => {
  running = await startTestService({
    tools: [waiting.tool],
    env: { A2A_AUTH_TOKEN: TOKEN, PUSH_NOTIFICATION_ALLOWED_CIDRS: "127.0.0.0/8" },
  });
});
afterAll(() => running.stop());

const authorized: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set("authorization", `Bearer ${TOKEN}`);
  return fetch(input, { ...init, headers });
};

const client = (): Promise<Client> =>
  new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl: authorized })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl: authorized }),
  }).createFromUrl(running.url);

const request = (text: string, about: { taskId?: string; contextId?: string } = {}): SendMessageRequest => ({
  tenant: "",
  message: {
    messageId: crypto.randomUUID(),
    contextId: about.contextId ?? "",
    taskId: about.taskId ?? "",
    role: Role.ROLE_USER,
    parts: [{ content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "" }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  },
  configuration: undefined,
  metadata: undefined,
});

const textOf = (task: Task | undefined): string =>
  (task?.artifacts ?? [])
    .flatMap(({ parts }) => parts.map(({ content }) => (content?.$case === "text" ? content.value : "")))
    .join("");

const stateIn = ({ payload }: StreamResponse): TaskState | undefined =>
  payload?.$case === "statusUpdate" ? payload.value.status?.state : undefined;

describe("the official 1.x client", () => {
  it("finds the agent by its card and reads the extended card", async () => {
    const sdk = await client();
    expect(sdk.protocolVersion).toBe("1.0");
    const card = await sdk.getAgentCard();
    expect(card).toMatchObject({ name: "protoagent", capabilities: { extendedAgentCard: true } });
    expect(card.supportedInterfaces[0]).toMatchObject({
      url: `http://127.0.0.1:${running.port}/a2a`,
      protocolVersion: "1.0",
    });
    expect(card.securitySchemes.bearer?.scheme).toMatchObject({ $case: "httpAuthSecurityScheme" });
  });

  it("sends, and reads the task it got", async () => {
    const sdk = await client();
    const task = (await sdk.sendMessage(request('/call calculator {"expression":"6*7"}'))) as Task;
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(textOf(task)).toBe("calculator returned: 42");
    expect(await sdk.getTask({ tenant: "", id: task.id })).toEqual(task);
    await expect(sdk.getTask({ tenant: "", id: "nope" })).rejects.toMatchObject({ envelopeCode: -32001 });
  });

  it("streams, loses the connection, resubscribes and sees the end", async () => {
    const sdk = await client();
    waiting.hold();
    let id = "";
    for await (const { payload } of sdk.sendMessageStream(request("/call waiting {}"))) {
      if (payload?.$case === "task") id = payload.value.id;
      // Leaving the loop breaks the connection.
      if (payload?.$case === "statusUpdate") break;
    }
    const seen: StreamResponse[] = [];
    for await (const event of sdk.resubscribeTask({ tenant: "", id })) {
      seen.push(event);
      waiting.release();
    }
    expect(seen[0]?.payload?.$case).toBe("task");
    expect(seen.map(stateIn).at(-1)).toBe(TaskState.TASK_STATE_COMPLETED);
    await expect(sdk.resubscribeTask({ tenant: "", id }).next()).rejects.toMatchObject({ envelopeCode: -32004 });
  });

  it("cancels a running task, its stream ends, and a second cancel brings the same task (A8)", async () => {
    const sdk = await client();
    const states: (TaskState | undefined)[] = [];
    let id = "";
    for await (const event of sdk.sendMessageStream(request("/wait 60000"))) {
      if (event.payload?.$case === "task") {
        id = event.payload.value.id;
        const canceled = await sdk.cancelTask({ tenant: "", id, metadata: undefined });
        expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
      } else states.push(stateIn(event));
    }
    expect(states).toEqual([TaskState.TASK_STATE_CANCELED]);
    const again = await sdk.cancelTask({ tenant: "", id, metadata: undefined });
    expect(again.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    const over = (await sdk.sendMessage(request("/say over"))) as Task;
    await expect(sdk.cancelTask({ tenant: "", id: over.id, metadata: undefined })).rejects.toMatchObject({
      envelopeCode: -32002,
    });
  });

  it("is asked a question, and answers it", async () => {
    const sdk = await client();
    const parked = (await sdk.sendMessage(request('/call ask_human {"question":"Where?"}'))) as Task;
    expect(parked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const answered = (await sdk.sendMessage(request("There", { taskId: parked.id }))) as Task;
    expect([answered.id, textOf(answered)]).toEqual([parked.id, "ask_human returned: There"]);
    const late = sdk.sendMessage(request("Still there", { taskId: parked.id }));
    await expect(late).rejects.toMatchObject({ envelopeCode: -32004 });
  });

  it("registers, reads, lists and removes webhooks, and gets the task's webhooks", async () => {
    await using receiver = await webhookReceiver();
    const sdk = await client();
    const authentication = { scheme: "Bearer", credentials: "s3cret" };
    const config = { tenant: "", id: "", taskId: "", url: receiver.url, token: "", authentication };
    const configuration = {
      acceptedOutputModes: [],
      taskPushNotificationConfig: { ...config, id: "inline" },
      historyLength: undefined,
      returnImmediately: false,
    };
    const { id: taskId } = (await sdk.sendMessage({ ...request("/say done"), configuration })) as Task;
    const end = await receiver.until(({ state }) => state === "TASK_STATE_COMPLETED");
    expect([end.headers.authorization, end.body.statusUpdate.taskId]).toEqual(["Bearer s3cret", taskId]);
    const made = await sdk.createTaskPushNotificationConfig({ ...config, taskId, id: "late" });
    expect(made).toMatchObject({ taskId, id: "late", url: receiver.url });
    expect(made.authentication?.credentials ?? "").toBe("");
    const { configs } = await sdk.listTaskPushNotificationConfig({ tenant: "", taskId, pageSize: 0, pageToken: "" });
    expect(configs.map(({ id }) => id)).toEqual(["inline", "late"]);
    const named = { tenant: "", taskId, id: "late" };
    expect(await sdk.getTaskPushNotificationConfig(named)).toMatchObject({ id: "late", url: receiver.url });
    await sdk.deleteTaskPushNotificationConfig(named);
    await expect(sdk.getTaskPushNotificationConfig(named)).rejects.toMatchObject({ envelopeCode: -32001 });
  });
});

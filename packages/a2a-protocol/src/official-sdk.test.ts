/** Both ends of this package against the official JavaScript SDK, version 0.3. */
import type { AddressInfo } from "node:net";
import type { AgentCard } from "@a2a-js/sdk";
import { A2AClient } from "@a2a-js/sdk/client";
import {
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
} from "@a2a-js/sdk/server";
import { serve } from "@hono/node-server";
import { afterEach, describe, expect, it } from "vitest";
import { connect } from "./client/index.ts";
import type { PushNotificationConfig } from "./push/index.ts";
import { createWebhookReceiver } from "./receiver/index.ts";
import { type AgentTurn, createA2AHandler, inMemoryExecutor, type PushConfigs } from "./server/index.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function listen(fetch: (request: Request) => Promise<Response>): Promise<string> {
  const server = serve({ fetch, port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  closers.push(() => {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe("the official client and our server", () => {
  const message = (text: string, extra: object = {}) => ({
    message: {
      kind: "message" as const,
      messageId: crypto.randomUUID(),
      role: "user" as const,
      parts: [{ kind: "text" as const, text }],
      ...extra,
    },
  });
  async function client(pushConfigs?: PushConfigs): Promise<A2AClient> {
    const work = async function* ({ text, ask, signal }: AgentTurn) {
      if (text === "ask") yield { text: `so ${await ask("Where?")}` };
      else if (text === "wait") await new Promise((resolve) => signal.addEventListener("abort", resolve));
      else for (const word of ["one ", "two"]) yield { text: word };
    };
    const executor = inMemoryExecutor((turn) => (turn.text === "ping" ? { message: "pong" } : work(turn)));
    const handler = createA2AHandler({
      card: { name: "T", description: "d" },
      executor: { ...executor, ...(pushConfigs && { pushConfigs }) },
    });
    return A2AClient.fromCardUrl(`${await listen((request) => handler(request))}/.well-known/agent-card.json`);
  }

  it("send, stream and read", async () => {
    const sdk = await client();
    const sent = await sdk.sendMessage(message("go"));
    expect(sent).toMatchObject({ result: { kind: "task", status: { state: "completed" } } });
    const frames = await collect(sdk.sendMessageStream(message("go")));
    expect(frames.map((frame) => frame.kind)).toEqual([
      "task",
      "artifact-update",
      "artifact-update",
      "artifact-update",
      "status-update",
    ]);
    expect(frames.at(-1)).toMatchObject({ final: true, status: { state: "completed" } });
    const id = (frames[0] as { id: string }).id;
    expect(await sdk.getTask({ id })).toMatchObject({ result: { id, artifacts: [{ parts: [{ text: "one two" }] }] } });
    expect(await sdk.getTask({ id: "nope" })).toMatchObject({ error: { code: -32001 } });
  });

  it("register, read, list and remove webhooks", async () => {
    const kept = new Map<string, PushNotificationConfig>();
    const sdk = await client({
      set: async (config) => {
        kept.set(config.id, config);
        return config;
      },
      get: async (_, id) => kept.get(id),
      list: async () => ({ configs: [...kept.values()] }),
      delete: async (_, id) => void kept.delete(id),
    });
    const pushNotificationConfig = { id: "a", url: "https://hook.example/", token: "s3cret" };
    const shown = { taskId: "t", pushNotificationConfig: { id: "a", url: "https://hook.example/" } };
    expect(await sdk.setTaskPushNotificationConfig({ taskId: "t", pushNotificationConfig })).toMatchObject({
      result: shown,
    });
    const named = { id: "t", pushNotificationConfigId: "a" };
    expect(await sdk.getTaskPushNotificationConfig(named)).toMatchObject({ result: shown });
    expect(await sdk.listTaskPushNotificationConfig({ id: "t" })).toMatchObject({ result: [shown] });
    expect(await sdk.deleteTaskPushNotificationConfig(named)).toMatchObject({ result: null });
    expect(await sdk.getTaskPushNotificationConfig(named)).toMatchObject({ error: { code: -32001 } });
  });

  it("answer a question", async () => {
    const sdk = await client();
    const frames = await collect(sdk.sendMessageStream(message("ask")));
    const parked = frames.at(-1) as { taskId: string; contextId: string; status: { state: string } };
    expect(parked.status.state).toBe("input-required");
    const { taskId, contextId } = parked;
    expect(await sdk.sendMessage(message("Rome", { taskId, contextId }))).toMatchObject({
      result: { id: taskId, artifacts: [{ parts: [{ text: "so Rome" }] }] },
    });
  });

  it("gets the code of a stream that is refused", async () => {
    const sdk = await client();
    await expect(collect(sdk.resubscribeTask({ id: "nope" }))).rejects.toThrow("-32001");
    await expect(collect(sdk.sendMessageStream({ message: { ...message("x").message, parts: [] } }))).rejects.toThrow(
      "-32602",
    );
  });

  it("gets a message where the agent makes no task of it", async () => {
    const sdk = await client();
    const reply = { kind: "message", role: "agent", parts: [{ kind: "text", text: "pong" }] };
    expect(await sdk.sendMessage(message("ping"))).toMatchObject({ result: reply });
    expect(await collect(sdk.sendMessageStream(message("ping")))).toMatchObject([reply]);
  });

  it("resubscribe and cancel", async () => {
    const sdk = await client();
    const first = sdk.sendMessageStream(message("wait"));
    const id = ((await first.next()).value as { id: string }).id;
    const second = sdk.resubscribeTask({ id });
    expect((await second.next()).value).toMatchObject({ kind: "task", id, status: { state: "working" } });
    expect(await sdk.cancelTask({ id })).toMatchObject({ result: { status: { state: "canceled" } } });
    for (const stream of [first, second]) {
      expect((await collect(stream)).at(-1)).toMatchObject({
        kind: "status-update",
        final: true,
        status: { state: "canceled" },
      });
    }
  });
});

describe("our client and the official server, which numbers nothing", () => {
  const agent: AgentExecutor = {
    async execute({ taskId, contextId, userMessage }, bus) {
      bus.publish({ kind: "task", id: taskId, contextId, status: { state: "submitted" }, history: [userMessage] });
      bus.publish({ kind: "status-update", taskId, contextId, status: { state: "working" }, final: false });
      for (const text of ["He", "llo"]) {
        const artifact = { artifactId: "a", parts: [{ kind: "text" as const, text }] };
        bus.publish({ kind: "artifact-update", taskId, contextId, artifact, append: text !== "He" });
      }
      bus.publish({ kind: "status-update", taskId, contextId, status: { state: "completed" }, final: true });
      bus.finished();
    },
    async cancelTask() {},
  };

  async function officialServer(pushNotifications: boolean): Promise<string> {
    const card: AgentCard = {
      name: "Official",
      description: "",
      url: "/rpc",
      version: "1",
      protocolVersion: "0.3.0",
      capabilities: { streaming: true, pushNotifications },
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [],
    };
    const rpc = new JsonRpcTransportHandler(new DefaultRequestHandler(card, new InMemoryTaskStore(), agent));
    return listen(async (request) => {
      if (request.method === "GET") return Response.json(card);
      const answer = await rpc.handle(await request.json());
      if (!(Symbol.asyncIterator in answer)) return Response.json(answer);
      const encoder = new TextEncoder();
      const body = new ReadableStream({
        async start(controller) {
          for await (const frame of answer) controller.enqueue(encoder.encode(`data: ${JSON.stringify(frame)}\n\n`));
          controller.close();
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    });
  }

  it("send, stream, read and join a task at rest", async () => {
    const official = await connect(await officialServer(false));
    expect((await official.send("go")).task?.status.state).toBe("TASK_STATE_COMPLETED");
    const events = await collect(official.stream("go"));
    expect(events.map((event) => event.kind)).toEqual(["task", "status", "text", "text", "artifact", "status"]);
    const { task } = events[0] as { task: { id: string } };
    expect((await official.get(task.id)).artifacts?.[0]?.parts).toEqual(expect.arrayContaining([{ text: "He" }]));
    const joined = await collect(official.resubscribe(task.id));
    expect(joined.at(-1)).toMatchObject({ kind: "status", state: "TASK_STATE_COMPLETED", final: true });
    await expect(official.pushConfigs.list(task.id)).rejects.toMatchObject({ code: -32003 });
  });

  it("register webhooks, and our receiver gets the task's end", async () => {
    const receive = createWebhookReceiver({ token: "s3cret", headers: "either" });
    const ended = Promise.withResolvers<unknown>();
    const hook = await listen(async (request) => {
      const notification = await receive(request);
      if (notification instanceof Response) return notification;
      const [frame] = notification.frames;
      if (frame !== undefined && "task" in frame && frame.task.status.state === "TASK_STATE_COMPLETED") {
        ended.resolve([notification.version, notification.taskId, notification.eventId, frame.task.artifacts?.length]);
      }
      return new Response(null, { status: 204 });
    });
    const official = await connect(await officialServer(true));
    const { task } = await official.send("go", { pushConfig: { id: "mine", url: hook, token: "s3cret" } });
    const taskId = task!.id;
    expect(await ended.promise).toEqual(["0.3", taskId, undefined, 1]);
    const other = { taskId, id: "other", url: `${hook}/other`, authentication: { scheme: "Bearer", credentials: "c" } };
    expect(await official.pushConfigs.set(other)).toMatchObject({ taskId, id: "other", url: `${hook}/other` });
    expect((await official.pushConfigs.list(taskId)).map(({ id }) => id)).toEqual(["mine", "other"]);
    expect(await official.pushConfigs.get(taskId, "mine")).toMatchObject({ id: "mine", url: hook });
    await official.pushConfigs.delete(taskId, "mine");
    expect((await official.pushConfigs.list(taskId)).map(({ id }) => id)).toEqual(["other"]);
  });
});

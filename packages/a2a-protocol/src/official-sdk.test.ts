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
import { createA2AHandler, inMemoryExecutor } from "./server/index.ts";

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
  async function client(): Promise<A2AClient> {
    const executor = inMemoryExecutor(async function* ({ text, ask, signal }) {
      if (text === "ask") yield { text: `so ${await ask("Where?")}` };
      else if (text === "wait") await new Promise((resolve) => signal.addEventListener("abort", resolve));
      else for (const word of ["one ", "two"]) yield { text: word };
    });
    const handler = createA2AHandler({ card: { name: "T", description: "d" }, executor });
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

  it("send, stream, read and join a task at rest", async () => {
    const card: AgentCard = {
      name: "Official",
      description: "",
      url: "/rpc",
      version: "1",
      protocolVersion: "0.3.0",
      capabilities: { streaming: true },
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [],
    };
    const rpc = new JsonRpcTransportHandler(new DefaultRequestHandler(card, new InMemoryTaskStore(), agent));
    const url = await listen(async (request) => {
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

    const official = await connect(url);
    expect((await official.send("go")).task?.status.state).toBe("TASK_STATE_COMPLETED");
    const events = await collect(official.stream("go"));
    expect(events.map((event) => event.kind)).toEqual(["task", "status", "text", "artifact", "text", "status"]);
    const { task } = events[0] as { task: { id: string } };
    expect((await official.get(task.id)).artifacts?.[0]?.parts).toEqual(expect.arrayContaining([{ text: "He" }]));
    const joined = await collect(official.resubscribe(task.id));
    expect(joined.at(-1)).toMatchObject({ kind: "status", state: "TASK_STATE_COMPLETED", final: true });
  });
});

/** Lists of tasks and webhooks as a client uses them, in both versions, against the package's own handler. */
import { describe, expect, it } from "vitest";
import { taskNotFound } from "../error/index.ts";
import type { PushNotificationConfig } from "../push/index.ts";
import { type AgentExecutor, createA2AHandler, inMemoryExecutor, type Submission } from "../server/index.ts";
import { type ConnectOptions, connect } from "./index.ts";

const HOOK = "https://hook.example/";

function executorWithWebhooks() {
  const base = inMemoryExecutor(async function* ({ text }) {
    yield { text };
  });
  const kept = new Map<string, PushNotificationConfig>();
  const submissions: Submission[] = [];
  const executor: AgentExecutor = {
    ...base,
    submit(submission, call) {
      submissions.push(submission);
      return base.submit(submission, call);
    },
    pushConfigs: {
      async set(config, call) {
        if ((await base.read(config.taskId, call)) === undefined) throw taskNotFound(config.taskId);
        kept.set(config.id, config);
        return config;
      },
      get: async (_, id) => kept.get(id),
      async list(_, { pageToken = "0" }) {
        // One to a page, so that the client has to ask again.
        const next = Number(pageToken) + 1;
        return {
          configs: [...kept.values()].slice(next - 1, next),
          ...(next < kept.size && { nextPageToken: String(next) }),
        };
      },
      delete: async (_, id) => void kept.delete(id),
    },
  };
  return { executor, kept, submissions };
}

/** A client of a handler in this process. `onlyOld`: its card offers 0.3 alone. */
function client(executor: AgentExecutor, onlyOld: boolean) {
  const handler = createA2AHandler({ card: { name: "T", description: "d" }, executor });
  const fetch: NonNullable<ConnectOptions["fetch"]> = async (input, init) => {
    const response = await handler(new Request(input, init));
    if (!onlyOld || init?.method === "POST") return response;
    const { supportedInterfaces: _, ...card } = (await response.json()) as Record<string, unknown>;
    return Response.json(card);
  };
  return connect("http://agent.example", { fetch });
}

describe.each([
  ["1.0", false],
  ["0.3", true],
] as const)("a client of %s", (version, onlyOld) => {
  it("registers, reads, lists and removes webhooks", async () => {
    const { executor, kept } = executorWithWebhooks();
    const agent = await client(executor, onlyOld);
    expect(agent.endpoint.version).toBe(version);
    const taskId = (await agent.send("hi")).task!.id;
    const authentication = { scheme: "Bearer", credentials: "c4" };
    const set = await agent.pushConfigs.set({ taskId, url: HOOK, token: "s3cret", authentication });
    const shown = { id: taskId, taskId, url: HOOK, authentication: { scheme: "Bearer" } };
    expect(set).toEqual(shown);
    expect(kept.get(taskId)).toEqual({ ...shown, token: "s3cret", authentication });
    await agent.pushConfigs.set({ taskId, id: "b", url: `${HOOK}b` });
    expect(await agent.pushConfigs.get(taskId)).toEqual(shown);
    expect(await agent.pushConfigs.get(taskId, "b")).toEqual({ id: "b", taskId, url: `${HOOK}b` });
    expect((await agent.pushConfigs.list(taskId)).map(({ id }) => id)).toEqual(
      // 0.3 has no pages.
      onlyOld ? [taskId] : [taskId, "b"],
    );
    await agent.pushConfigs.delete(taskId);
    await agent.pushConfigs.delete(taskId);
    expect([...kept.keys()]).toEqual(["b"]);
    await expect(agent.pushConfigs.get(taskId)).rejects.toMatchObject({ name: "A2AError", code: -32001 });
    await expect(agent.pushConfigs.set({ taskId: "nope", url: HOOK })).rejects.toMatchObject({ code: -32001 });
  });

  it("registers a webhook along with a message", async () => {
    const { executor, submissions } = executorWithWebhooks();
    const agent = await client(executor, onlyOld);
    const pushConfig = { id: "mine", url: HOOK, token: "t", authentication: { scheme: "Basic", credentials: "c" } };
    await agent.send("hi", { pushConfig });
    expect(submissions.map((submission) => submission.pushConfig)).toEqual([pushConfig]);
  });
});

describe("a list of tasks", () => {
  it("is read page by page in 1.0", async () => {
    const { executor } = executorWithWebhooks();
    const agent = await client(executor, false);
    const first = (await agent.send("one", { contextId: "c" })).task!;
    const second = (await agent.send("two", { contextId: "c" })).task!;
    const page = await agent.listTasks({ contextId: "c", pageSize: 1, includeArtifacts: true });
    expect([page.totalSize, page.pageSize]).toEqual([2, 1]);
    const rest = await agent.listTasks({ contextId: "c", pageToken: page.nextPageToken, includeArtifacts: true });
    expect(rest.nextPageToken).toBe("");
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    expect([...page.tasks, ...rest.tasks].sort(byId)).toEqual([first, second].sort(byId));
    expect((await agent.listTasks()).tasks).toHaveLength(2);
    await expect(agent.listTasks({ pageToken: "x" })).rejects.toMatchObject({ code: -32602 });
  });

  it("is refused before it is asked for in 0.3, which has none over JSON-RPC", async () => {
    const agent = await client(executorWithWebhooks().executor, true);
    await expect(agent.listTasks()).rejects.toMatchObject({ name: "A2AError", code: -32601 });
  });
});

describe("an answer that is none", () => {
  it("is INVALID_AGENT_RESPONSE, whatever is in it", async () => {
    for (const result of [5, [], "x", { configs: 5, tasks: 5 }, { configs: [{}], tasks: [{}] }]) {
      for (const onlyOld of [false, true]) {
        const fetch: NonNullable<ConnectOptions["fetch"]> = async (_, init) =>
          init?.method === "POST"
            ? Response.json({ jsonrpc: "2.0", id: 1, result })
            : Response.json({ name: "Odd", url: "/rpc", ...(!onlyOld && { supportedInterfaces: V10 }) });
        const agent = await connect("http://agent.example", { fetch });
        const bad = { code: -32006 };
        await expect(agent.pushConfigs.get("t")).rejects.toMatchObject(bad);
        if (!Array.isArray(result)) await expect(agent.pushConfigs.list("t")).rejects.toMatchObject(bad);
        if (!onlyOld) await expect(agent.listTasks()).rejects.toMatchObject(bad);
      }
    }
  });
});

const V10 = [{ url: "/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0" }];

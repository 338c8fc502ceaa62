/** Answers that make no task, in both versions and bindings, over real sockets. */
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { afterEach, describe, expect, it } from "vitest";
import { connect } from "../client/index.ts";
import { type AgentFunction, type AgentTurn, createA2AHandler, inMemoryExecutor } from "./index.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers as loosely as a caller would
type Answer = any;

async function* work({ text, ask }: AgentTurn) {
  yield { text: `worked on ${text === "ask" ? await ask("What?") : text}` };
}
const agent: AgentFunction = async (turn) => {
  if (turn.text === "fail") throw new Error("secret cause");
  if (turn.text === "early") return { message: await turn.ask("?").catch((error: Error) => error.message) };
  return turn.text === "ping" ? { message: "pong" } : work(turn);
};

async function start(given: AgentFunction = agent, options = {}) {
  const errors: unknown[] = [];
  const handler = createA2AHandler({
    card: { name: "T", description: "d" },
    executor: inMemoryExecutor(given, options),
    onError: (error) => void errors.push(error),
  });
  const server = serve({ fetch: (request) => handler(request), port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  closers.push(() => {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return { type: response.headers.get("content-type"), text: await response.text() };
  };
  return { url, post, errors };
}

const V1 = { "a2a-version": "1.0" };
const old = (text: string) => ({ message: { role: "user", parts: [{ text }] } });
const recent = (text: string) => ({ message: { messageId: "m", role: "ROLE_USER", parts: [{ text }] } });
const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });

const oldMessage = { kind: "message", role: "agent", parts: [{ kind: "text", text: "pong" }] };
const newMessage = { message: { role: "ROLE_AGENT", parts: [{ text: "pong" }] } };

/** How to send and stream in a version and binding, and what both bring. */
const ways = [
  ["0.3", "/a2a", rpc("message/send", old("ping")), "/a2a", rpc("message/stream", old("ping")), { result: oldMessage }],
  [
    "1.0",
    "/a2a",
    rpc("SendMessage", recent("ping")),
    "/a2a",
    rpc("SendStreamingMessage", recent("ping")),
    { result: newMessage },
  ],
  ["0.3", "/v1/message:send", old("ping"), "/v1/message:stream", old("ping"), { message: oldMessage }],
  ["1.0", "/a2a/message:send", recent("ping"), "/a2a/message:stream", recent("ping"), newMessage],
] as const;

describe("a message that is the whole answer", () => {
  it.each(ways)(
    "in %s at %s is the result of a send and the one event of a stream [R10-3.1.2-3]",
    async (version, path, sent, streamPath, streamed, expected) => {
      const { post } = await start();
      const headers = version === "1.0" ? V1 : {};
      const answer = await post(path, sent, headers);
      expect(JSON.parse(answer.text)).toMatchObject(expected);
      expect(answer.text).toMatch(/"messageId":"[^"]+".*"contextId":"[^"]+"/);
      expect(answer.text).not.toContain("taskId");
      const stream = await post(streamPath, streamed, headers);
      expect([stream.type, stream.text.match(/^data: /gm)?.length, stream.text.endsWith("\n\n")]).toEqual([
        "text/event-stream",
        1,
        true,
      ]);
      expect(JSON.parse(stream.text.slice(6))).toMatchObject(expected);
    },
  );

  it("leaves no task behind, and other messages become tasks all the same", async () => {
    const { post } = await start();
    await post("/a2a", rpc("SendMessage", recent("ping")), V1);
    const list = async () =>
      (JSON.parse((await post("/a2a", rpc("ListTasks", {}), V1)).text) as Answer).result.totalSize;
    expect(await list()).toBe(0);
    const { result } = JSON.parse((await post("/a2a", rpc("SendMessage", recent("hello")), V1)).text) as Answer;
    expect([result.task.artifacts[0].parts, await list()]).toEqual([[{ text: "worked on hello" }], 1]);
  });

  it("is returned again under its idempotency key, also while it is being made, and is made once", async () => {
    let made = 0;
    const gate = Promise.withResolvers<void>();
    const { post } = await start(async () => {
      made++;
      await gate.promise;
      return { message: `number ${made}` };
    });
    const key = { ...V1, "idempotency-key": "k" };
    const both = [1, 2].map(() => post("/a2a", rpc("SendMessage", recent("hi")), key));
    gate.resolve();
    const [first, second] = await Promise.all(both);
    expect(first?.text).toContain("number 1");
    expect(second).toEqual(first);
    expect([await post("/a2a", rpc("SendMessage", recent("hi")), key), made]).toEqual([first, 1]);
    const other = JSON.parse((await post("/a2a", rpc("SendMessage", recent("other")), key)).text) as Answer;
    expect(other.error.code).toBe(-32602);
  });

  it("is not made by an agent that fails before it decides: its caller gets an internal error, and may try again", async () => {
    const { post, errors } = await start();
    const key = { ...V1, "idempotency-key": "k" };
    for (const times of [1, 2]) {
      const answer = await post("/a2a", rpc("SendMessage", recent("fail")), key);
      expect([(JSON.parse(answer.text) as Answer).error.code, answer.text.includes("secret")]).toEqual([-32603, false]);
      expect(errors).toHaveLength(times);
    }
  });

  it("can ask nothing: there is no task that could wait", async () => {
    const { post } = await start();
    expect((await post("/a2a", rpc("SendMessage", recent("early")), V1)).text).toContain("no task yet");
  });

  it("is read by the client, which continues where the agent makes a task", async () => {
    const other = await connect((await start()).url);
    expect(await other.send("ping")).toMatchObject({ text: "pong", message: { parts: [{ text: "pong" }] } });
    const events = await Array.fromAsync(other.stream("ping"));
    expect(events).toMatchObject([{ kind: "message", text: "pong" }]);
    expect((await other.send("hello")).text).toBe("worked on hello");
  });

  it("takes no room from tasks, and undecided messages do", async () => {
    const gate = Promise.withResolvers<void>();
    const { post } = await start(
      async ({ text }) => {
        if (text === "slow") await gate.promise;
        return { message: "done" };
      },
      { maxTasks: 1 },
    );
    for (const _ of [1, 2])
      expect((await post("/a2a", rpc("SendMessage", recent("quick")), V1)).text).toContain("done");
    const slow = post("/a2a", rpc("SendMessage", recent("slow")), V1);
    await expect
      .poll(async () => (await post("/a2a", rpc("SendMessage", recent("quick")), V1)).text)
      .toContain("in use");
    gate.resolve();
    expect((await slow).text).toContain("done");
  });
});

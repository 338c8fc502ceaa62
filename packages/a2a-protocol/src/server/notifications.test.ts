/** JSON-RPC requests without an id (A4), over real sockets. */
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { afterEach, describe, expect, it } from "vitest";
import { OverloadedError } from "../error/index.ts";
import { type A2AHandlerOptions, createA2AHandler, inMemoryExecutor } from "./index.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function start(options: Partial<A2AHandlerOptions> = {}) {
  const seen: string[] = [];
  const executor = inMemoryExecutor(async function* ({ text, ask, signal }) {
    seen.push(text);
    if (text === "ask") yield { text: await ask("?") };
    else if (text === "wait") await new Promise((resolve) => signal.addEventListener("abort", resolve));
    else yield { text };
  });
  const handler = createA2AHandler({ card: { name: "T", description: "d" }, executor, ...options });
  const server = serve({ fetch: (request) => handler(request), port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  closers.push(() => {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a2a`;
  /** `id` absent: a notification. */
  const post = async (
    method: string,
    params: object,
    { id, version = "0.3" }: { id?: unknown; version?: string } = {},
  ) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", "a2a-version": version },
      body: JSON.stringify({ jsonrpc: "2.0", method, params, ...(id !== undefined && { id }) }),
    });
    const text = await response.text();
    return { status: response.status, retryAfter: response.headers.get("retry-after"), text };
  };
  return { post, executor, seen };
}

const old = (text: string) => ({ message: { role: "user", parts: [{ text }] } });
const recent = (text: string) => ({ message: { messageId: "m", role: "ROLE_USER", parts: [{ text }] } });
const nothing = { status: 204, retryAfter: null, text: "" };

describe("a notification", () => {
  it("is carried out at once and answered by no body, whatever its method", async () => {
    const { post, seen } = await start();
    expect(await post("message/send", old("wait"))).toEqual(nothing);
    expect(await post("message/stream", old("ask"))).toEqual(nothing);
    expect(await post("SendStreamingMessage", recent("say"), { version: "1.0" })).toEqual(nothing);
    expect(seen).toEqual(["wait", "ask", "say"]);
    const listed = await post("ListTasks", { status: "TASK_STATE_WORKING" }, { id: 1, version: "1.0" });
    const [{ id }] = JSON.parse(listed.text).result.tasks;
    expect(await post("tasks/get", { id })).toEqual(nothing);
    expect(await post("tasks/resubscribe", { id })).toEqual(nothing);
    expect(await post("tasks/cancel", { id })).toEqual(nothing);
    const after = await post("tasks/get", { id }, { id: 2 });
    expect(JSON.parse(after.text).result.status.state).toBe("canceled");
  });

  it("gets no error of its own, and no success that there was not [DEV-notification]", async () => {
    const errors: unknown[] = [];
    const broken = inMemoryExecutor(async function* () {
      yield { text: "never" };
    });
    let raise: unknown = new OverloadedError(503, "Full", 7);
    const submit = () => Promise.reject(raise);
    const { post } = await start({ executor: { ...broken, submit }, onError: (error) => void errors.push(error) });
    expect(await post("tasks/get", { id: "nope" })).toEqual(nothing);
    expect(await post("no/method", {})).toEqual(nothing);
    expect(await post("message/send", {})).toEqual(nothing);
    expect(await post("message/send", old("x"))).toEqual({ status: 503, retryAfter: "7", text: "" });
    raise = new Error("disk gone");
    expect(await post("message/stream", old("x"))).toEqual({ status: 500, retryAfter: null, text: "" });
    expect(errors).toEqual([raise]);
  });

  it("of a streaming method passes the guard of streams", async () => {
    const { post, seen } = await start({ guardStream: () => new Response(null, { status: 403 }) });
    expect((await post("message/stream", old("x"))).status).toBe(403);
    expect(await post("message/send", old("y"))).toEqual(nothing);
    expect(seen).toEqual(["y"]);
  });

  it("is no request whose id is null, nor one that cannot be read", async () => {
    const { post } = await start();
    expect(JSON.parse((await post("tasks/get", { id: "x" }, { id: null })).text)).toMatchObject({
      id: null,
      error: { code: -32001 },
    });
    expect(JSON.parse((await post("", {})).text)).toMatchObject({ id: null, error: { code: -32600 } });
  });
});

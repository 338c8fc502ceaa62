import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { afterEach, describe, expect, it } from "vitest";
import { OverloadedError } from "../../error/index.ts";
import { createSseParser } from "../../stream/index.ts";
import { type A2AHandlerOptions, type AgentFunction, createA2AHandler, inMemoryExecutor } from "../index.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers as loosely as a caller would
type Answer = any;
type Frame = { readonly seq: number; readonly result: Answer; readonly error?: Answer };

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

async function start(agent: AgentFunction, options: Partial<A2AHandlerOptions> = {}) {
  const executor = inMemoryExecutor(agent, { onError: () => {} });
  const handler = createA2AHandler({ card: { name: "T", description: "d" }, executor, onError: () => {}, ...options });
  const server = serve({ fetch: (request) => handler(request), port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  closers.push(() => {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a2a`;
  const open = (method: string, params: object, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: "me", method, params }),
    });
  const stream = (text: string, message: object = {}, headers?: Record<string, string>) =>
    open("message/stream", { message: { role: "user", parts: [{ text }], ...message } }, headers);
  const join = (id: string, after?: number) =>
    open("tasks/resubscribe", { id }, after === undefined ? {} : { "last-event-id": String(after) });
  const get = async (id: string) => ((await (await open("tasks/get", { id })).json()) as Answer).result;
  return { open, stream, join, get };
}

async function* framesOf(response: Response): AsyncGenerator<Frame> {
  const parser = createSseParser();
  for await (const piece of response.body!) {
    for (const { id, data } of parser.push(piece)) {
      const { jsonrpc, id: caller, result, error } = JSON.parse(data);
      expect([jsonrpc, caller]).toEqual(["2.0", "me"]);
      yield { seq: Number(id), result, ...(error && { error }) };
    }
  }
}
async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const all = async (response: Response | Promise<Response>): Promise<Frame[]> => collect(framesOf(await response));

const poem: AgentFunction = async function* () {
  yield { status: "thinking" };
  yield { text: "one " };
  yield { text: "two" };
};

describe("message/stream (A6)", () => {
  it("sends the working task, then what happens, then the whole answer, then the final status", async () => {
    const { stream } = await start(poem);
    const response = await stream("go");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
    });
    const frames = await all(response);
    expect(frames.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    const [task, status, first, second, whole, last] = frames.map(({ result }) => result);
    expect(task).toMatchObject({ kind: "task", status: { state: "working" } });
    expect(status).toMatchObject({
      kind: "status-update",
      final: false,
      status: { message: { parts: [{ text: "thinking" }] } },
    });
    expect(first).toMatchObject({
      kind: "artifact-update",
      append: false,
      lastChunk: false,
      artifact: { parts: [{ text: "one " }] },
    });
    expect(second).toMatchObject({ append: true, artifact: { parts: [{ text: "two" }] } });
    expect(whole).toMatchObject({ append: false, lastChunk: true, artifact: { parts: [{ text: "one two" }] } });
    expect(last).toMatchObject({ kind: "status-update", final: true, status: { state: "completed" } });
  });

  it("ends at a question, and a reply streams the rest", async () => {
    const { stream } = await start(async function* ({ ask }) {
      yield { text: await ask("Where?") };
    });
    const parked = await all(stream("go"));
    const { result } = parked.at(-1)!;
    expect(result).toMatchObject({ kind: "status-update", final: true, status: { state: "input-required" } });
    const rest = await all(stream("Rome", { taskId: result.taskId, contextId: result.contextId }));
    expect(rest[0]).toMatchObject({
      seq: 3,
      result: { kind: "task", id: result.taskId, status: { state: "working" } },
    });
    expect(rest.map(({ seq }) => seq)).toEqual([3, 4, 5, 6]);
    expect(rest.at(-1)?.result.status.state).toBe("completed");
  });

  it("answers an error as the one event of a stream, without a number, as clients of 0.3 read it (A4)", async () => {
    const { open } = await start(poem);
    const response = await open("message/stream", {});
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    const text = await response.text();
    expect(text).toMatch(/^data: \{.*\}\n\n$/);
    expect(JSON.parse(text.slice(6))).toMatchObject({ jsonrpc: "2.0", id: "me", error: { code: -32602 } });
  });

  it("keeps the HTTP status of a refusal for want of room", async () => {
    const { open } = await start(poem, {
      executor: { ...inMemoryExecutor(poem), submit: () => Promise.reject(new OverloadedError(429, "Full", 7)) },
    });
    const response = await open("message/stream", { message: { role: "user", parts: [{ text: "x" }] } });
    expect([response.status, response.headers.get("retry-after"), await response.json()]).toMatchObject([
      429,
      "7",
      { error: { code: -32603, message: "Full" } },
    ]);
  });

  it("sends a failed reading as an error event under the caller's id", async () => {
    const executor = inMemoryExecutor(poem);
    const broken = {
      ...executor,
      submit: async (...args: Parameters<typeof executor.submit>) => ({
        ...(await executor.submit(...args)),
        // biome-ignore lint/correctness/useYield: a reading that fails before its first frame
        follow: async function* () {
          throw new Error("disk gone");
        },
      }),
    };
    const { stream } = await start(poem, { executor: broken });
    const frames = await all(stream("go"));
    expect(frames.at(-1)?.error).toEqual({
      code: -32603,
      message: "Internal error",
      data: { errorId: expect.any(String) },
    });
  });
});

describe("tasks/resubscribe (A20, A7)", () => {
  it("with a cursor shows the task as of it and every later event, the same as the first reader saw", async () => {
    const { stream, join } = await start(poem);
    const frames = await all(stream("go"));
    const { id } = frames[0]!.result;
    for (let after = 1; after < frames.length; after++) {
      const [task, ...rest] = await all(join(id, after));
      expect(task).toMatchObject({ seq: after, result: { kind: "task", id, status: { state: "working" } } });
      expect(rest).toEqual(frames.slice(after));
    }
    const text = (await all(join(id, 4)))[0]?.result.artifacts[0].parts;
    expect(text).toEqual([{ kind: "text", text: "one two" }]);
  });

  it("on a task at rest shows it, its final frame, and closes, whatever the cursor", async () => {
    const { stream, join } = await start(async function* ({ text, ask }) {
      yield { text: text === "ask" ? await ask("Where?") : text };
    });
    for (const [text, state] of [
      ["ask", "input-required"],
      ["x", "completed"],
    ] as const) {
      const frames = await all(stream(text));
      const { id } = frames[0]!.result;
      const last = frames.at(-1)!;
      for (const after of [undefined, last.seq, last.seq + 100]) {
        const [task, ...rest] = await all(join(id, after));
        expect(task).toMatchObject({ seq: last.seq, result: { kind: "task", status: { state } } });
        expect(rest).toEqual([last]);
      }
    }
  });

  it("on a running task joins live, each reader with the same events, and slowly ones lose nothing", async () => {
    const { open, opened } = gate();
    const { stream, join } = await start(async function* () {
      yield { text: "a" };
      await opened;
      for (let i = 0; i < 300; i++) yield { text: `${i},` };
    });
    const first = framesOf(await stream("go"));
    const { value: task } = await first.next();
    await first.next();
    const readers = await Promise.all([undefined, 1, 2].map((after) => join(task?.result.id, after)));
    open();
    const rest = await collect(first);
    for (const reader of readers) {
      const frames = await all(reader);
      expect(frames.slice(-rest.length)).toEqual(rest);
      expect(frames.map(({ seq }) => seq)).toEqual(Array.from({ length: frames.length }, (_, i) => frames[0]!.seq + i));
    }
  });

  it("refuses unknown tasks and cursors that are no numbers", async () => {
    const { open } = await start(poem);
    const code = async (params: object, headers?: Record<string, string>) =>
      (await all(open("tasks/resubscribe", params, headers)))[0]?.error.code;
    expect(await code({ id: "nope" })).toBe(-32001);
    expect(await code({ id: "nope" }, { "last-event-id": "abc" })).toBe(-32602);
    expect(await code({ id: "nope", metadata: { after: -1 } })).toBe(-32602);
  });

  it("takes the cursor from metadata too", async () => {
    const { stream, open } = await start(poem);
    const frames = await all(stream("go"));
    const again = await all(open("tasks/resubscribe", { id: frames[0]!.result.id, metadata: { after: 4 } }));
    expect(again.slice(1)).toEqual(frames.slice(4));
  });
});

describe("a repeated message/stream (A20, A15)", () => {
  it("streams the same task from its start, or from the cursor", async () => {
    const { stream } = await start(poem);
    const key = { "idempotency-key": "k" };
    const frames = await all(stream("go", {}, key));
    expect(await all(stream("go", {}, key))).toEqual(frames);
    expect((await all(stream("go", {}, { ...key, "last-event-id": "3" }))).slice(1)).toEqual(frames.slice(3));
  });

  it("ignores a cursor where no key is known", async () => {
    const { stream } = await start(poem);
    expect(await all(stream("go", {}, { "last-event-id": "3" }))).toHaveLength(6);
    expect(await all(stream("go", {}, { "last-event-id": "3", "idempotency-key": "new" }))).toHaveLength(6);
  });
});

describe("streams and their readers", () => {
  it("a reader that leaves stops nothing, and makes room for another", async () => {
    const { open, opened } = gate();
    const left = gate();
    const { stream, get } = await start(
      async function* () {
        await opened;
        yield { text: "done" };
      },
      { maxStreams: 1, guardStream: () => void left.open() },
    );
    const response = await stream("go");
    const reader = framesOf(response);
    const { id } = (await reader.next()).value?.result ?? {};
    await reader.return(undefined);
    // The server learns of it when the socket closes; from then on the slot is free.
    let next = await stream("again");
    while (next.status === 503) next = await stream("again");
    expect(next.status).toBe(200);
    open();
    await all(next);
    let task = await get(id);
    while (task.status.state === "working") task = await get(id);
    expect(task.status.state).toBe("completed");
  });

  it("a reader that leaves ends the reading behind its stream", async () => {
    const executor = inMemoryExecutor(poem);
    const ended = gate();
    const { stream } = await start(poem, {
      executor: {
        ...executor,
        submit: async (...args) => ({
          ...(await executor.submit(...args)),
          follow: async function* (after, signal) {
            yield {
              seq: after + 1,
              frame: { message: { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "x" }] } },
            };
            await new Promise((resolve) => signal.addEventListener("abort", resolve));
            ended.open();
          },
        }),
      },
    });
    await (await stream("go")).body?.cancel();
    await ended.opened;
  });

  it("beyond the limit there is a 503 with Retry-After, and no task (S7)", async () => {
    let started = 0;
    const { stream, join } = await start(
      async function* ({ signal }) {
        started++;
        yield { status: "on it" };
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
      { maxStreams: 2 },
    );
    const open = [await stream("a"), await stream("b")];
    for (const refused of [await stream("c"), await join("any")]) {
      expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([503, true]);
      expect(await refused.json()).toMatchObject({ id: "me", error: { code: -32603 } });
    }
    expect(started).toBe(2);
    for (const response of open) await response.body?.cancel();
  });

  it("are kept alive by comments while nothing happens", async () => {
    const { open, opened } = gate();
    const { stream } = await start(
      async function* () {
        await opened;
        yield { text: "late" };
      },
      { keepAliveMs: 5 },
    );
    const response = await stream("go");
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes(":\n\n:\n\n")) text += (await reader.read()).value ?? "";
    open();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) text += piece.value;
    expect(text).toContain('"state":"completed"');
  });

  it("get frames that are ready together in one chunk, and are not read ahead of a slow reader", async () => {
    let yielded = 0;
    const executor = inMemoryExecutor(async function* () {
      yield { text: "x" };
    });
    const handler = createA2AHandler({
      card: { name: "T", description: "d" },
      executor: {
        ...executor,
        submit: async (...args) => ({
          ...(await executor.submit(...args)),
          follow: async function* (after) {
            const text = "x".repeat(500);
            for (let seq = after + 1; ; seq++) {
              yielded++;
              yield { seq, frame: { message: { messageId: "m", role: "ROLE_AGENT", parts: [{ text }] } } };
            }
          },
        }),
      },
    });
    const body = {
      jsonrpc: "2.0",
      id: 1,
      method: "message/stream",
      params: { message: { role: "user", parts: [{ text: "x" }] } },
    };
    const response = await handler(
      new Request("http://x/a2a", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
    const reader = response.body!.getReader();
    const chunk = (await reader.read()).value!;
    expect(chunk.length).toBeGreaterThan(7_000);
    expect(chunk.length).toBeLessThan(9_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(yielded).toBeLessThan(15);
    await reader.cancel();
  });

  it("may be refused by the host, after parsing and for streaming methods only (S4)", async () => {
    let asked = 0;
    const guardStream = () => {
      asked++;
      return Response.json({ detail: "origin not allowed" }, { status: 403 });
    };
    const { stream, join, open } = await start(poem, { guardStream });
    expect([
      (await stream("go")).status,
      (await join("t")).status,
      (await open("tasks/get", { id: "t" })).status,
    ]).toEqual([403, 403, 200]);
    expect(asked).toBe(2);
  });
});

import { once } from "node:events";
import { Agent } from "node:http";
import { connect } from "node:net";
import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { StartupError } from "../cli/index.ts";
import { ask } from "../testing/index.ts";
import { type Listener, type ListenOptions, listen } from "./listen.ts";

const listeners: Listener[] = [];
const log = { error: () => undefined };
afterEach(async () => {
  await Promise.all(listeners.splice(0).map((listener) => listener.close({ graceMs: 0 })));
});

async function start(options: Partial<ListenOptions> = {}): Promise<Listener> {
  const listener = await listen({
    fetch: () => new Response("ok"),
    host: "127.0.0.1",
    port: 0,
    log,
    ...options,
  });
  listeners.push(listener);
  return listener;
}

describe("starting to listen", () => {
  it("takes a free port for 0 and reports it", async () => {
    const listener = await start();
    expect(listener.url).toBe(`http://127.0.0.1:${listener.port}`);
    expect((await ask(listener.port)).text).toBe("ok");
  });

  it("reports in one line that a port is in use and what to do", async () => {
    const { port } = await start();
    const error = await start({ port }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartupError);
    expect(error).toMatchObject({ code: "address-in-use", exitCode: 1 });
    expect((error as Error).message).toBe(
      `port ${port} on 127.0.0.1 is in use: stop the program that has it, or choose another port with --port`,
    );
  });

  it("reports that an address is not this machine's", async () => {
    await expect(start({ host: "192.0.2.1" })).rejects.toMatchObject({ code: "address-unavailable", exitCode: 1 });
  });
});

it("a client that leaves while its answer is made is no error in the log", async () => {
  const errors: unknown[] = [];
  const { promise: left, resolve } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const { port } = await start({
    log: { error: (...line: unknown[]) => errors.push(line) },
    fetch: ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          reject(signal.reason);
          resolve();
        });
        begun.resolve();
      }),
  });
  const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n"));
  await begun.promise;
  socket.destroy();
  await left;
  // What follows the rejection is done by then.
  await setImmediate();
  expect(errors).toEqual([]);
});

/** What a server answers to these bytes, whole: it closes the connection. */
async function answerTo(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(bytes);
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text;
}

describe("receiving", () => {
  it("refuses several Host headers, alike or not, in any case", async () => {
    const { port } = await start();
    for (const second of ["Host: localhost", "HOST: evil.example", "host:"]) {
      const answer = await answerTo(port, `GET / HTTP/1.1\r\nHost: localhost\r\n${second}\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 .*\{"detail":"A request has one Host header\."\}$/s);
      expect(answer).toMatch(/^content-type: application\/json\r$/m);
    }
  });

  it("takes /healthz of HTTP/1.0 without a Host for addressed to its own socket, and nothing else", async () => {
    const { port } = await start({ fetch: ({ url }) => new Response(url) });
    expect(await answerTo(port, "GET /healthz HTTP/1.0\r\n\r\n")).toMatch(
      new RegExp(`^HTTP/1\\.1 200 .*\r\n\r\nhttp://127\\.0\\.0\\.1:${port}/healthz$`, "s"),
    );
    expect(await answerTo(port, "GET /a2a HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
    expect(await answerTo(port, "GET /healthz HTTP/1.1\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("ends a request whose body does not come, with 408 [DEV-bounds]", async ({ task }) => {
    // `pnpm bounds` waits for what a service without this option does.
    const isDefault = process.env.TEST_DEFAULT_LIMITS === "1";
    const { port } = await start({
      ...(isDefault ? {} : { requestTimeoutMs: 100 }),
      fetch: async (request) => new Response(await request.text()),
    });
    const head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n";
    const began = performance.now();
    const answer = await answerTo(port, `${head}half`);
    const found = (performance.now() - began) / 1_000;
    // What is late is looked for every two seconds; one more is for a busy machine.
    const most = 30 + 2 + 1;
    if (isDefault)
      task.meta.bounds = [{ what: "a request whose body does not come, until its 408", found, most, unit: "s" }];
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe("stopping", () => {
  it("answers requests in progress, accepts no new ones, and ends kept-alive sockets", async () => {
    const gate = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const listener = await start({
      fetch: async () => {
        arrived.resolve();
        await gate.promise;
        return new Response("late");
      },
    });
    const agent = new Agent({ keepAlive: true });
    const underWay = ask(listener.port, { agent });
    await arrived.promise;
    listener.stopAccepting();
    await expect(ask(listener.port)).rejects.toThrow(/ECONNREFUSED/);
    const closing = listener.close({ graceMs: 10_000 });
    gate.resolve();
    expect((await underWay).text).toBe("late");
    await closing;
    agent.destroy();
  });

  it("cuts a stream that does not end after the grace, and can be stopped twice", async () => {
    const listener = await start({
      fetch: () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("x")) })),
    });
    const socket = connect(listener.port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await once(socket, "data");
    const closed = once(socket, "close");
    await listener.close({ graceMs: 1 });
    await listener.close({ graceMs: 1 });
    await closed;
  });
});

describe("connections", () => {
  it("beyond the bound are closed at once; one that leaves makes room", async () => {
    const listener = await start({ maxConnections: 1 });
    const first = connect(listener.port, "127.0.0.1");
    await once(first, "connect");
    const second = connect(listener.port, "127.0.0.1");
    second.on("error", () => undefined);
    second.resume();
    await once(second, "close");
    first.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    const [answer] = await once(first, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    first.resume();
    await once(first, "close");
    expect((await ask(listener.port)).status).toBe(200);
  });
});

describe("odd requests", () => {
  async function raw(port: number, text: string): Promise<string> {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk.toString();
    });
    socket.write(text);
    await once(socket, "close");
    return answer;
  }

  it.each([
    ["no HTTP at all", "400", "HELLO\r\n\r\n"],
    ["no Host", "400", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"],
    ["a Host that is no host", "400", "GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n"],
    ["headers without end", "431", `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(40_000)}\r\n\r\n`],
  ])("%s gets a %s and the server stays up", async (_, status, text) => {
    const listener = await start();
    expect(await raw(listener.port, text)).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
    expect((await ask(listener.port)).status).toBe(200);
  });

  it("answers a WebSocket upgrade as the plain request it also is", async () => {
    const listener = await start();
    const answer = await ask(listener.port, {
      headers: { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13", "sec-websocket-key": "x" },
    });
    expect([answer.status, answer.text]).toEqual([200, "ok"]);
  });
});

/** Invalid requests over real sockets (A4, S7): each gets its error, and other callers are not affected. */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, ask, type Json, textOf, textParams } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const MIB = 1024 * 1024;

let running: TestService;
beforeAll(async () => {
  running = await startTestService({ bounds: { maxStreams: 3 } });
});
afterAll(() => running.stop());

/** Posts a raw body while another caller sends a valid request, which must succeed. */
async function post(body: string | Buffer, headers: { readonly [name: string]: string } = {}): Promise<Answer> {
  const [answer, healthy] = await Promise.all([
    ask(running.port, {
      method: "POST",
      path: "/a2a",
      body,
      headers: { host: `127.0.0.1:${running.port}`, "content-type": "application/json", ...headers },
    }),
    running.wire.say("/say fine"),
  ]);
  expect(textOf(healthy)).toBe("fine");
  return answer;
}

const call = (fields: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tasks/get", params: {}, ...fields });

describe("a body that is no JSON-RPC request (A4)", () => {
  it.each([
    ["nothing", "", -32700],
    ["no JSON", "{", -32700],
    ["half a request", '{"jsonrpc":"2.0","id":1,"method":"mess', -32700],
    ["HTML", "<html>", -32700],
    ["a number", "7", -32600],
    ["null", "null", -32600],
    ["a text", '"message/send"', -32600],
    ["an empty batch", "[]", -32600],
    ["a batch", `[${call({})}]`, -32600],
    ["no jsonrpc", call({ jsonrpc: undefined }), -32600],
    ["jsonrpc 1.0", call({ jsonrpc: "1.0" }), -32600],
    ["jsonrpc as a number", call({ jsonrpc: 2 }), -32600],
    ["no method", call({ method: undefined }), -32600],
    ["a method that is no text", call({ method: ["tasks/get"] }), -32600],
    ["an id that is an object", call({ id: {} }), -32600],
    ["an id of 2,000 characters", call({ id: "i".repeat(2000) }), -32600],
    ["a method of a million characters", call({ method: "m".repeat(MIB) }), -32601],
    ["a task id of a million characters", call({ params: { id: "t".repeat(MIB) } }), -32602],
    ["params that are a text", call({ params: "x" }), -32602],
    ["params of __proto__", '{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"__proto__":{"id":"x"}}}', -32602],
    ["100,000 nested arrays", call({ params: "@" }).replace('"@"', "[".repeat(100_000) + "]".repeat(100_000)), -32600],
    ["100,000 open arrays", "[".repeat(100_000), -32600],
    ["65 nested objects in metadata", deep(65), -32600],
  ])("%s", async (_name, body, code) => {
    const answer = await post(body);
    expect(answer.status).toBe(200);
    const { jsonrpc, error, result } = JSON.parse(answer.text) as Json;
    expect([jsonrpc, error.code, result]).toEqual(["2.0", code, undefined]);
    // What was sent is not sent back at length.
    expect(answer.text.length).toBeLessThan(2500);
  });

  function deep(levels: number): string {
    const metadata = `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    return `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"role":"user","parts":[{"text":"/say deep"}]},"metadata":${metadata}}}`;
  }

  it("takes depth up to the bound", async () => {
    expect(textOf(JSON.parse((await post(deep(50))).text).result)).toBe("deep");
  });

  it("invalid UTF-8 is read with replacement characters or refused, never taken apart", async () => {
    const body = Buffer.from(call({ method: "message/send", params: textParams("/say a@b") }));
    body[body.indexOf("@")] = 0xff;
    const answer = JSON.parse((await post(body)).text) as Json;
    if (answer.error === undefined) expect(textOf(answer.result)).toBe("a\ufffdb");
    else expect(answer.error.code).toBe(-32700);
  });

  it("unpaired surrogates, NUL and other controls come back as they came", async () => {
    const text = "a\u0000b\u001f\u2028\ud83d\ude00";
    const task = await running.wire.say(`/say ${text}`);
    expect(textOf(task)).toBe(text);
    const lone = JSON.parse((await post(call({ method: "message/send", params: textParams("/say x\ud800y") }))).text);
    expect(lone.result.status.state).toBe("completed");
  });
});

describe("a body that is too large (10 MiB, A4)", () => {
  const huge = Buffer.alloc(10 * MIB + 1, 0x20);

  it("is a 413 {detail}, declared or in chunks [R10-13.4-6, DEV-detail]", async () => {
    for (const answer of [await post(huge), await post(huge, { "transfer-encoding": "chunked" })]) {
      expect(answer.status).toBe(413);
      expect(JSON.parse(answer.text)).toEqual({ detail: expect.stringContaining("bytes") });
    }
  });

  it("is refused by its declaration alone, before it is sent", async () => {
    const socket = connect(running.port, "127.0.0.1");
    socket.write(
      `POST /a2a HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${huge.length}\r\n\r\n`,
    );
    const head = await new Promise<string>((resolve) =>
      socket.once("data", (data: Buffer) => resolve(data.toString())),
    );
    expect(head).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  it("just fits at 10 MiB", async () => {
    const start = call({ method: "tasks/get", params: { id: "x" } }).slice(0, -1);
    const body = `${start},"ignored":"${"p".repeat(10 * MIB - start.length - 14)}"}`;
    expect(Buffer.byteLength(body)).toBe(10 * MIB);
    expect(JSON.parse((await post(body)).text).error.code).toBe(-32001);
  });
});

describe("HTTP that is not meant for A2A", () => {
  it("another content type is 415, another method 405, both {detail}", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      const answer = await post(call({}), { "content-type": type });
      expect([answer.status, JSON.parse(answer.text)]).toEqual([415, { detail: expect.any(String) }]);
    }
    const get = await ask(running.port, { path: "/a2a", headers: { host: `localhost:${running.port}` } });
    expect([get.status, get.headers.allow]).toEqual([405, "POST"]);
    expect(
      JSON.parse((await post(call({ params: { id: "x" } }), { "content-type": "application/a2a+json" })).text),
    ).toMatchObject({
      error: { code: -32001 },
    });
  });

  it("a malformed request line, a header without end and a client that leaves in the middle cost only themselves", async () => {
    const send = (text: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = connect(running.port, "127.0.0.1");
        let got = "";
        socket.on("data", (data: Buffer) => {
          got += data.toString();
        });
        socket.on("close", () => resolve(got));
        socket.on("error", () => {});
        socket.write(text);
      });
    expect(await send("NONSENSE\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
    expect(await send(`GET / HTTP/1.1\r\nX: ${"y".repeat(40_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
    const leaving = connect(running.port, "127.0.0.1");
    await new Promise<void>((resolve) => {
      leaving.write(
        "POST /a2a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
        () => resolve(),
      );
    });
    leaving.destroy();
    expect(textOf(await running.wire.say("/say still here"))).toBe("still here");
  });
});

describe("one stream more than there may be (S7)", () => {
  it("is 503 with Retry-After before a task exists; a stream that ends makes room for another", async () => {
    const open = await Promise.all(
      [1, 2, 3].map(() => running.wire.stream("message/stream", textParams("/wait 60000"))),
    );
    const ids = await Promise.all(open.map(async (stream) => (await stream.next())?.frame.id as string));
    const contextId = "no-stream-no-task";
    const refused = await running.wire.answer("message/stream", textParams("/say x", { contextId }));
    expect([refused.status, refused.body]).toEqual([503, { detail: expect.stringContaining("3 streams") }]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const resubscribe = await running.wire.answer("tasks/resubscribe", { id: ids[0] });
    expect(resubscribe.status).toBe(503);
    const metrics = await (await fetch(`${running.url}/metrics`)).text();
    expect(metrics).toMatch(/^protoagent_open_streams 3$/m);
    expect(textOf(await running.wire.say("/say sends go on"))).toBe("sends go on");

    await running.wire.result("tasks/cancel", { id: ids[0] });
    await open[0]?.rest();
    const next = await running.wire.stream("message/stream", textParams("/say place"));
    expect((await next.rest()).at(-1)?.frame.status.state).toBe("completed");
    for (const id of ids) await running.wire.result("tasks/cancel", { id });
    await Promise.all(open.map((stream) => stream.rest()));
  });
});

describe("after all of this", () => {
  it("the log holds no error, and nothing runs", async () => {
    expect(running.log.filter((line) => / ERROR /.test(line))).toEqual([]);
    expect(running.service.core.load()).toEqual({ running: 0, waiting: 0 });
  });
});

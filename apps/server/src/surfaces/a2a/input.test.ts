/** What a message may carry (A12), structured skills (A17), idempotency (A15), and the errors of requests (A4). */
import { type LocalGateway, localGateway, textReply } from "@agent-service/agent-core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, textOf, textParams } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let gateway: LocalGateway;
let running: TestService;
beforeAll(async () => {
  gateway = await localGateway(textReply("ok"));
  running = await startTestService({
    config: `
providers:
  - { id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}", api_key: secret-key }
  - { id: scripted, type: scripted }
model: { name: "gw:any" }
a2a:
  skills:
    - id: count
      name: Count
      description: Counts.
      tags: []
      result_mime: application/vnd.count+json
      output_schema: { type: object, properties: { n: { type: integer } }, required: [n], additionalProperties: false }
`,
  });
});
afterAll(async () => {
  await running.stop();
  await gateway.close();
});

/** Params that the scripted model answers. */
const scripted = (text: string, params: Json = {}): Json =>
  textParams(text, {}, { ...params, metadata: { model: "scripted:demo", ...params.metadata } });

describe("parts of a message (A12)", () => {
  /** Sends these parts and returns the content the model was given. */
  async function shown(...parts: readonly Json[]): Promise<Json> {
    const before = gateway.requests.length;
    await running.wire.result("message/send", { message: { role: "user", parts } });
    const { messages } = (await gateway.untilRequest(before + 1)).body as Json;
    return messages.at(-1).content;
  }
  const file = (mimeType: string, text: string | Buffer, name = "a.bin"): Json => ({
    kind: "file",
    file: { name, mimeType, bytes: Buffer.from(text).toString("base64") },
  });

  it("text, data as JSON, and a text-like file are read in order; an image stays an image", async () => {
    const seen = JSON.stringify(
      await shown(
        { kind: "text", text: "Look:" },
        { kind: "data", data: { a: [1, "two"] } },
        file("text/csv", "x,y\n1,2", "t.csv"),
        file("image/png", "PNG", "i.png"),
      ),
    );
    const positions = [
      "Look:",
      '\\"two\\"',
      "x,y",
      `data:image/png;base64,${Buffer.from("PNG").toString("base64")}`,
    ].map((text) => seen.indexOf(text));
    expect(positions.every((at) => at >= 0)).toBe(true);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect(seen).toContain("t.csv");
  });

  it.each([
    ["a binary file", file("application/zip", "PK")],
    ["a text file beyond 256 KiB", file("text/plain", "x".repeat(256 * 1024 + 1))],
    ["a file by address", { kind: "file", file: { uri: "http://127.0.0.1:1/x", mimeType: "text/plain" } }],
  ])(
    "refuses %s with -32005, and no task begins [R10-14.1.1-4, R10-13.4-7, DEV-file-by-address]",
    async (_name, part) => {
      const before = gateway.requests.length;
      const error = await running.wire.error("message/send", { message: { role: "user", parts: [part] } });
      expect(error).toMatchObject({ code: -32005, message: expect.any(String) });
      expect(gateway.requests.length).toBe(before);
    },
  );

  it("takes a text file of exactly 256 KiB", async () => {
    expect(JSON.stringify(await shown(file("text/plain", "y".repeat(256 * 1024)))).length).toBeGreaterThan(256 * 1024);
  });
});

describe("a structured skill (A17)", () => {
  const ask = textParams("How many?", {}, { metadata: { skill: "count" } });

  it("answers with a data part of the skill's type, without text deltas", async () => {
    gateway.answer(textReply('{"n"', ":3}"));
    const events = await (await running.wire.stream("message/stream", ask)).rest();
    const artifacts = events.map(({ frame }) => frame).filter(({ kind }) => kind === "artifact-update");
    expect(artifacts).toHaveLength(1);
    expect(artifacts[0]?.artifact.parts).toMatchObject([
      { kind: "data", data: { n: 3 }, mimeType: "application/vnd.count+json" },
    ]);
    expect(events.at(-1)?.frame.status.state).toBe("completed");
  });

  it("gets two rounds to repair an answer that does not fit", async () => {
    const first = gateway.requests.length;
    gateway.answer((_request, count) =>
      textReply(["three", '{"n":"3"}', '```json\n{"n":3}\n```'][count - first - 1] ?? ""),
    );
    const task = await running.wire.result("message/send", ask);
    expect(task.artifacts[0].parts).toMatchObject([{ kind: "data", data: { n: 3 } }]);
    expect(gateway.requests.length).toBe(first + 3);
    expect(JSON.stringify(gateway.requests.at(-1)?.body)).toMatch(/does not fit|not valid|n:/i);
  });

  it("then fails with the path that did not fit", async () => {
    const first = gateway.requests.length;
    gateway.answer(textReply('{"n":1.5}'));
    const task = await running.wire.result("message/send", ask);
    expect(task.status.state).toBe("failed");
    expect(task.status.message.parts[0].text).toMatch(/#\/n|\bn\b/);
    expect(task.artifacts ?? []).toEqual([]);
    expect(gateway.requests.length).toBe(first + 3);
  });

  it("is no -32005 where its own type is asked for", async () => {
    gateway.answer(textReply('{"n":4}'));
    const wanting = (mode: string): Json => ({ ...ask, configuration: { acceptedOutputModes: [mode] } });
    const task = await running.wire.result("message/send", wanting("application/vnd.count+json"));
    expect(task.status.state).toBe("completed");
    expect(await running.wire.error("message/send", wanting("text/plain"))).toMatchObject({ code: -32005 });
  });
});

describe("an idempotency key (A15)", () => {
  const withKey = (key: string) => ({ headers: { "idempotency-key": key } });

  it("gives the same request the same task, also at the same moment and under metadata.idempotencyKey", async () => {
    const params = scripted("/wait 30\n/say once");
    const twins = await Promise.all([1, 2, 3].map(() => running.wire.result("message/send", params, withKey("k1"))));
    expect(new Set(twins.map(({ id }) => id)).size).toBe(1);
    expect(twins.map(textOf)).toEqual(["once", "once", "once"]);
    const inBody = scripted("/say x", { metadata: { idempotencyKey: "k2" } });
    const [one, two] = [
      await running.wire.result("message/send", inBody),
      await running.wire.result("message/send", inBody),
    ];
    expect(two.id).toBe(one.id);
    const without = await running.wire.result("message/send", params);
    expect(without.id).not.toBe(twins[0]?.id);
  });

  it("refuses a different request under the key, and one that is no key", async () => {
    await running.wire.result("message/send", scripted("/say a"), withKey("k3"));
    const error = await running.wire.error("message/send", scripted("/say b"), withKey("k3"));
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("Idempotency-Key") });
    for (const configuration of [{ blocking: false }, { historyLength: 0 }]) {
      const other = { ...scripted("/say a"), configuration };
      expect(await running.wire.error("message/send", other, withKey("k3"))).toMatchObject({ code: -32602 });
    }
    expect(await running.wire.error("message/send", scripted("/say b"), withKey("x".repeat(256)))).toMatchObject({
      code: -32602,
    });
  });

  it("replays the stream from its start, or from Last-Event-ID; without a known key that header counts for nothing", async () => {
    const params = scripted("/stream 20");
    const read = async (headers: { [name: string]: string }) =>
      (await running.wire.stream("message/stream", params, { headers })).rest();
    const first = await read({ "idempotency-key": "k4" });
    const again = await read({ "idempotency-key": "k4" });
    expect(again[0]?.frame.id).toBe(first[0]?.frame.id);
    expect(again.filter(({ id }) => id > (first[0]?.id ?? 0))).toEqual(first.slice(1));
    const cursor = first[1]?.id ?? 0;
    const resumed = await read({ "idempotency-key": "k4", "last-event-id": String(cursor) });
    expect(resumed[0]?.id).toBe(cursor);
    expect(resumed.slice(1)).toEqual(first.filter(({ id }) => id > cursor));
    const fresh = await read({ "last-event-id": "7" });
    expect(fresh[0]?.frame.id).not.toBe(first[0]?.frame.id);
    expect(fresh[0]?.frame.status.state).toBe("working");
  });

  it("finds the task of a blocking send whose caller left (A7)", async () => {
    const params = scripted("/wait 120\n/say went on");
    const leaving = new AbortController();
    const sent = fetch(`${running.url}/a2a`, {
      method: "POST",
      signal: leaving.signal,
      headers: { "content-type": "application/json", "idempotency-key": "k6" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params }),
    });
    await expect.poll(() => running.service.core.load().running).toBe(1);
    leaving.abort();
    await expect(sent).rejects.toThrow();
    expect(textOf(await running.wire.result("message/send", params, withKey("k6")))).toBe("went on");
  });

  it("covers replies: the same reply under the same key is given once", async () => {
    const parked = await running.wire.result("message/send", scripted('/call ask_human {"question":"Q?"}'));
    const answer = {
      message: { role: "user", parts: [{ text: "A" }], taskId: parked.id, contextId: parked.contextId },
    };
    const [first, second] = [
      await running.wire.result("message/send", answer, withKey("k5")),
      await running.wire.result("message/send", answer, withKey("k5")),
    ];
    expect(first).toMatchObject({ id: parked.id, status: { state: "completed" } });
    expect(second).toEqual(first);
  });
});

describe("ids a caller chooses", () => {
  it.each(["__proto__", "constructor", " ", "\u{1F600}", "a".repeat(1024), "'; DROP TABLE task; --"])(
    "context %j is one like any other",
    async (contextId) => {
      const params = scripted("/say x");
      params.message.contextId = contextId;
      const task = await running.wire.result("message/send", params);
      expect([task.contextId, textOf(task)]).toEqual([contextId, "x"]);
    },
  );

  it("what no store can hold is -32602 under every name", async () => {
    for (const bad of ["a\0b", "a\ud800", "line\nbreak", "a".repeat(1025)]) {
      for (const field of ["contextId", "taskId", "messageId"]) {
        const error = await running.wire.error("message/send", textParams("x", { [field]: bad }));
        expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(field) });
      }
      for (const method of ["tasks/get", "tasks/cancel", "tasks/resubscribe"])
        expect(await running.wire.error(method, { id: bad })).toMatchObject({ code: -32602 });
    }
    const keyed = textParams("x", {}, { metadata: { idempotencyKey: "a\0" } });
    expect(await running.wire.error("message/send", keyed)).toMatchObject({ code: -32602 });
  });

  it("the same messageId twice is two messages (A15) [DEV-message-id]", async () => {
    const twice = { messageId: "same", contextId: "same-message-id" };
    const tasks = [await running.wire.say("/say 1", twice, { metadata: { model: "scripted:demo" } })];
    tasks.push(await running.wire.say("/say 2", twice, { metadata: { model: "scripted:demo" } }));
    expect(tasks.map(textOf)).toEqual(["1", "2"]);
  });
});

describe("error codes (A4)", () => {
  const message = { role: "user", parts: [{ text: "x" }] };
  it.each([
    ["message/send", undefined, -32602],
    ["message/send", [], -32602],
    ["message/send", {}, -32602],
    ["message/send", { message: { parts: [{ text: "x" }] } }, -32602],
    ["message/send", { message: { role: "agent", parts: [{ text: "x" }] } }, -32602],
    ["message/send", { message: { role: "user", parts: [] } }, -32602],
    ["message/send", { message: { role: "user", parts: "x" } }, -32602],
    ["message/send", { message: { role: "user", parts: [{ kind: "video", text: "x" }] } }, -32602],
    ["message/send", { message: { role: "user", parts: [{ text: 7 }] } }, -32602],
    ["message/send", { message: { kind: "message", role: "user", parts: [{ kind: "text", text: "x" }] } }, -32602],
    ["message/send", { message, configuration: { historyLength: -1 } }, -32602],
    ["message/send", { message, configuration: { blocking: "no" } }, -32602],
    ["message/send", { message, metadata: "x" }, -32602],
    ["message/send", { message, configuration: { pushNotificationConfig: { url: "http://127.0.0.1/" } } }, -32602],
    ["tasks/pushNotificationConfig/set", { taskId: "x" }, -32602],
    ["tasks/pushNotificationConfig/set", { taskId: "x", pushNotificationConfig: { url: "https://a.test" } }, -32001],
    ["tasks/get", {}, -32602],
    ["tasks/get", { id: 7 }, -32602],
    ["tasks/get", { id: "x", historyLength: -1 }, -32602],
    ["tasks/get", { id: "x" }, -32001],
    ["tasks/cancel", { id: "" }, -32602],
    ["tasks/list", {}, -32601],
    ["SendMessage", { message }, -32601],
    ["constructor", {}, -32601],
    ["", {}, -32600],
  ])("%s with %j is %i", async (method, params, code) => {
    const { status, body } = await running.wire.answer(method, params);
    expect([status, body.jsonrpc, body.id, body.error?.code]).toEqual([200, "2.0", 1, code]);
    expect(body.error.message).toEqual(expect.any(String));
    expect(body.result).toBeUndefined();
  });

  it("another protocol version is -32009", async () => {
    const headers = { "A2A-Version": "2.0" };
    expect(await running.wire.error("message/send", scripted("/say x"), { headers })).toMatchObject({ code: -32009 });
    const same = { "A2A-Version": "0.3.9" };
    expect(textOf(await running.wire.result("message/send", scripted("/say x"), { headers: same }))).toBe("x");
  });
});

describe("a context with 100 turns waiting (A9)", () => {
  it("answers the next one with 429 and Retry-After, and no task; others are served", async () => {
    const first = await running.wire.result(
      "message/send",
      scripted("/wait 60000", { configuration: { blocking: false } }),
    );
    const { contextId } = first;
    const next = scripted("/say x", { configuration: { blocking: false } });
    next.message.contextId = contextId;
    const waiting = await Promise.all(Array.from({ length: 100 }, () => running.wire.result("message/send", next)));
    const refused = await running.wire.answer("message/send", next);
    expect(refused).toMatchObject({ status: 429, body: { error: { code: -32603 } } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(textOf(await running.wire.result("message/send", scripted("/say elsewhere")))).toBe("elsewhere");
    for (const { id } of [first, ...waiting]) await running.wire.result("tasks/cancel", { id });
    expect((await running.wire.result("message/send", { ...next, configuration: {} })).status.state).toBe("completed");
  });
});

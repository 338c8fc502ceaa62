import { once } from "node:events";
import { createServer } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { chunkEvent, dataEvent, endEvents, errorReply, textReply, toolReply } from "../../testing/gateway-replies.ts";
import { type GatewayScript, type LocalGateway, localGateway } from "../../testing/local-gateway.ts";
import { manualClock } from "../../testing/manual-clock.ts";
import { ModelConfigError } from "../model-config-error.ts";
import { ModelError } from "../model-error.ts";
import type { Model, ModelEvent, ModelRequest } from "../model-port.ts";
import { type CompatGatewayOptions, compatGateway } from "./compat-gateway.ts";

const KEY = "sk-local-0123456789";
const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

async function connected(
  script: GatewayScript,
  options: Partial<CompatGatewayOptions> = {},
): Promise<{ server: LocalGateway; model: Model }> {
  const server = await localGateway(script);
  const model = compatGateway({ baseUrl: server.baseUrl, name: "local", apiKey: KEY, ...options });
  open.push(() => server.close().then(() => model.close()));
  return { server, model };
}

function request(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: "m1",
    messages: [{ role: "user", content: [{ kind: "text", text: "Hello" }] }],
    tools: [],
    settings: {},
    ...more,
  };
}

async function collect(model: Model, more: Partial<ModelRequest> = {}, signal = new AbortController().signal) {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request(more), { signal })) events.push(event);
  return events;
}

async function failure(model: Model): Promise<ModelError> {
  const error: unknown = await collect(model).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ModelError);
  return error as ModelError;
}

describe("a call", () => {
  it("streams text, then usage, then the finish", async () => {
    const { model } = await connected(textReply("Hel", "lo"));
    const events = await collect(model);
    const text = events.map((event) => (event.kind === "text" ? event.text : "")).join("");
    expect(text).toBe("Hello");
    expect(events.slice(-2)).toEqual([
      { kind: "usage", usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 } },
      { kind: "finish", reason: "stop" },
    ]);
  });

  it("emits each delta as it arrives", async () => {
    const gate = Promise.withResolvers<void>();
    const { model } = await connected({
      steps: [chunkEvent({ content: "first" }), gate.promise, chunkEvent({ content: "second" }), endEvents("stop")],
    });
    const seen: ModelEvent[] = [];
    for await (const event of model.stream(request(), { signal: new AbortController().signal })) {
      seen.push(event);
      if (seen.length === 1) gate.resolve();
    }
    expect(seen.slice(0, 2)).toEqual([
      { kind: "text", text: "first" },
      { kind: "text", text: "second" },
    ]);
  });

  it("ends at [DONE] without waiting for the connection", async () => {
    const { model } = await connected({ steps: [chunkEvent({ content: "x" }) + endEvents("stop"), { do: "stall" }] });
    expect((await collect(model)).at(-1)).toEqual({ kind: "finish", reason: "stop" });
  });

  it("sends the settings that are set (B52), and no other", async () => {
    const { server, model } = await connected(textReply("x"));
    await collect(model, {
      settings: { temperature: 0.2, maxTokens: 32_768, topK: -1 },
    });
    expect(server.requests[0]).toMatchObject({ path: "/v1/chat/completions" });
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      "content-type": "application/json",
      "user-agent": "agent-service",
    });
    expect(server.requests[0]?.body).toEqual({
      model: "m1",
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.2,
      max_tokens: 32_768,
      messages: [{ role: "user", content: "Hello" }],
    });
  });

  it("merges extra parameters last, takes away those set to null, and always streams", async () => {
    const { server, model } = await connected(textReply("x"));
    await collect(model, {
      settings: {
        topK: 40,
        topP: 0.9,
        reasoningEffort: "low",
        presencePenalty: 0.1,
        repetitionPenalty: 1.1,
        chatTemplateKwargs: { enable_thinking: false },
        extraBody: { top_p: 0.5, seed: 7, stream_options: null, stream: false },
      },
    });
    expect(server.requests[0]?.body).toEqual({
      model: "m1",
      stream: true,
      top_k: 40,
      top_p: 0.5,
      reasoning_effort: "low",
      presence_penalty: 0.1,
      repetition_penalty: 1.1,
      chat_template_kwargs: { enable_thinking: false },
      seed: 7,
      messages: [{ role: "user", content: "Hello" }],
    });
  });

  it("writes the whole conversation: system, image, calls and results, and arguments a server can parse again", async () => {
    const { server, model } = await connected(textReply("x"));
    const parameters = { type: "object", properties: {} };
    await collect(model, {
      system: "Be terse.",
      messages: [
        {
          role: "user",
          content: [
            { kind: "text", text: "See" },
            { kind: "image", mediaType: "image/png", data: "AAAA" },
          ],
        },
        {
          role: "assistant",
          text: "",
          toolCalls: [
            { id: "a", name: "look", args: '{"x":1}' },
            { id: "b", name: "look", args: "{broken" },
            { id: "c", name: "look", args: "" },
          ],
        },
        { role: "tool", callId: "a", name: "look", text: "seen" },
        { role: "assistant", text: "Done." },
      ],
      tools: [{ name: "look", description: "Looks.", parameters }],
    });
    expect(server.requests[0]?.body).toMatchObject({
      messages: [
        { role: "system", content: "Be terse." },
        {
          role: "user",
          content: [
            { type: "text", text: "See" },
            { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
          ],
        },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "a", type: "function", function: { name: "look", arguments: '{"x":1}' } },
            { id: "b", type: "function", function: { name: "look", arguments: '{"unparsable_arguments":"{broken"}' } },
            { id: "c", type: "function", function: { name: "look", arguments: "{}" } },
          ],
        },
        { role: "tool", tool_call_id: "a", content: "seen" },
        { role: "assistant", content: "Done." },
      ],
      tools: [{ type: "function", function: { name: "look", description: "Looks.", parameters } }],
    });
  });

  it("keeps the path and query of the address, and sends no authorization without a key", async () => {
    const { server, model } = await connected(textReply("x"));
    const other = compatGateway({
      baseUrl: `${server.baseUrl}/deep/?version=2`,
      apiKey: " ",
      headers: { "X-Team": "t" },
    });
    await collect(other);
    await other.close();
    expect(server.requests[0]?.path).toBe("/v1/deep/chat/completions?version=2");
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
    expect(server.requests[0]?.headers["x-team"]).toBe("t");
    await collect(model);
  });

  it("makes parallel tool calls", async () => {
    const { model } = await connected(
      toolReply({ name: "calculator", args: { expression: "6*7" } }, { name: "current_time", args: {} }),
    );
    expect((await collect(model)).filter((event) => event.kind === "tool-call")).toEqual([
      { kind: "tool-call", call: { id: "call_calculator_0", name: "calculator", args: '{"expression":"6*7"}' } },
      { kind: "tool-call", call: { id: "call_current_time_1", name: "current_time", args: "{}" } },
    ]);
  });

  it("reuses a connection for one call after another, and runs many at once on as many", async () => {
    const { server, model } = await connected(textReply("x"));
    for (let at = 0; at < 5; at++) await collect(model);
    // Two, not one: the next call may begin between a stream's [DONE] and the end of its body.
    expect(await server.connections()).toBeLessThanOrEqual(2);
    const gate = Promise.withResolvers<void>();
    server.answer({ before: gate.promise, ...textReply("y") });
    const calls = Array.from({ length: 40 }, () => collect(model));
    await server.untilRequest(45);
    gate.resolve();
    expect((await Promise.all(calls)).every((events) => events.at(-1)?.kind === "finish")).toBe(true);
  });
});

describe("an abort", () => {
  it("rejects with the signal's reason and closes the socket at once", async () => {
    const { server, model } = await connected({ steps: [chunkEvent({ content: "x" }), { do: "stall" }] });
    const abort = new AbortController();
    const reason = new Error("canceled by the caller");
    const stream = model.stream(request(), { signal: abort.signal })[Symbol.asyncIterator]();
    expect(await stream.next()).toEqual({ done: false, value: { kind: "text", text: "x" } });
    const next = stream.next();
    abort.abort(reason);
    await expect(next).rejects.toBe(reason);
    await server.requests[0]?.cut;
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it("works before the first byte, before the call, and while connecting", async () => {
    const { server, model } = await connected({ steps: [], before: new Promise(() => {}) });
    const abort = new AbortController();
    const waiting = collect(model, {}, abort.signal);
    const seen = await server.untilRequest(1);
    abort.abort("stop");
    await expect(waiting).rejects.toBe("stop");
    await seen.cut;
    await expect(collect(model, {}, abort.signal)).rejects.toBe("stop");
    expect(server.requests).toHaveLength(1);

    const early = new AbortController();
    const connecting = collect(model, {}, early.signal);
    early.abort("early");
    await expect(connecting).rejects.toBe("early");
  });

  it("of the reader, by leaving the loop, closes the socket too", async () => {
    const { server, model } = await connected({ steps: [chunkEvent({ content: "x" }), { do: "stall" }] });
    for await (const event of model.stream(request(), { signal: new AbortController().signal })) {
      expect(event.kind).toBe("text");
      break;
    }
    await server.requests[0]?.cut;
  });
});

describe("a gateway that misbehaves", () => {
  it.each([
    ["answers garbage", { steps: ["<html>hello</html>"] }, "bad_response", false],
    ["answers nothing", { steps: [] }, "network", true],
    ["closes in mid-stream", { steps: [chunkEvent({ content: "x" }), { do: "cut" as const }] }, "network", true],
    ["closes before its head", { steps: [{ do: "cut" as const }] }, "network", true],
    ["ends without a finish", { steps: [chunkEvent({ content: "x" })] }, "network", true],
    ["redirects", { status: 301, steps: ["moved"] }, "bad_response", false],
    ["fails inside its stream", { steps: [dataEvent({ error: { message: "boom", code: 500 } })] }, "upstream", true],
  ])("%s", async (_, reply, code, retryable) => {
    const { model } = await connected(reply);
    expect(await failure(model)).toMatchObject({ code, retryable });
  });

  it.each([
    [429, "slow down", "rate_limited", true],
    [500, "oops", "upstream", true],
    [503, "later", "upstream", true],
    [529, "overloaded", "upstream", true],
    [408, "too slow", "timeout", true],
    [401, "who are you", "unauthorized", false],
    [403, "not you", "unauthorized", false],
    [404, "no route", "unknown_model", false],
    [400, "The model `m1` does not exist", "unknown_model", false],
    [400, "messages: field required", "bad_request", false],
    [422, "temperature must be below 2", "bad_request", false],
    [413, "request too large", "context_overflow", false],
  ])("answers %i %s", async (status, message, code, retryable) => {
    const { model } = await connected(errorReply(status, message));
    const error = await failure(model);
    expect(error).toMatchObject({ code, retryable, status });
    expect(error.message).toContain(message);
    expect(error.message).toContain("local");
  });

  it.each([
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "input length and `max_tokens` exceed context limit: 198000 + 21000 > 200000",
    "The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).",
    "the request exceeds the available context size. try increasing the context size",
    "Input is too long for requested model.",
    "Please reduce the length of the messages or completion.",
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    "The decoder prompt (length 9000) is longer than the maximum model length of 4096.",
    "too many tokens: total number of tokens in the prompt cannot exceed 4081",
    "`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens",
    "Range of input length should be [1, 30720]",
    "Invalid request: Your request exceeded model token limit: 8192",
    "Trying to keep the first 4267 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
  ])("recognizes a context overflow by its wording: %s", async (message) => {
    const { server, model } = await connected(errorReply(400, message));
    expect((await failure(model)).code).toBe("context_overflow");
    server.answer(errorReply(500, message));
    expect((await failure(model)).code).toBe("context_overflow");
  });

  it("does not take an ordinary refusal for an overflow", async () => {
    const { model } = await connected(
      errorReply(400, "max_tokens is too large: 32768. This model supports at most 8192."),
    );
    expect((await failure(model)).code).toBe("bad_request");
  });

  it("asks to wait, in seconds, as a date or in milliseconds", async () => {
    const clock = manualClock(Date.UTC(2026, 10, 21, 12, 0, 0));
    const { server, model } = await connected(errorReply(429, "wait", { "retry-after": "7" }), { clock });
    expect((await failure(model)).retryAfterMs).toBe(7_000);
    server.answer(errorReply(503, "wait", { "retry-after": "Sat, 21 Nov 2026 12:00:30 GMT" }));
    expect((await failure(model)).retryAfterMs).toBe(30_000);
    server.answer(errorReply(429, "wait", { "retry-after-ms": "250", "retry-after": "9" }));
    expect((await failure(model)).retryAfterMs).toBe(250);
    server.answer(errorReply(429, "wait", { "retry-after": "soon" }));
    expect((await failure(model)).retryAfterMs).toBeUndefined();
  });

  it("stalls before its first byte", async () => {
    const { server, model } = await connected({ steps: [], before: new Promise(() => {}) }, { requestTimeoutMs: 60 });
    expect(await failure(model)).toMatchObject({ code: "timeout", retryable: true });
    await server.requests[0]?.cut;
  });

  it("stalls between bytes", async () => {
    const { server, model } = await connected(
      { steps: [chunkEvent({ content: "x" }), { do: "stall" }] },
      { requestTimeoutMs: 60 },
    );
    expect((await failure(model)).code).toBe("timeout");
    await server.requests[0]?.cut;
  });

  it("sends an endless error", async () => {
    const body = "x".repeat(200_000);
    const { server, model } = await connected({ status: 400, steps: [body, { do: "stall" }] });
    const error = await failure(model);
    expect(error).toMatchObject({ code: "bad_request", status: 400 });
    expect(error.message.length).toBeLessThan(400);
    await server.requests[0]?.cut;
  });

  it("sends an endless line", async () => {
    const { server, model } = await connected(
      { steps: ["data: ", "x".repeat(3_000), { do: "stall" }] },
      { bounds: { maxLineBytes: 1_000 } },
    );
    expect((await failure(model)).code).toBe("bad_response");
    await server.requests[0]?.cut;
  });

  it("echoes the key: no error shows it", async () => {
    const { server, model } = await connected((seen) =>
      errorReply(401, `bad header ${seen.headers.authorization}, ${KEY}`),
    );
    const refused = await failure(model);
    server.answer((seen) => ({ steps: [`your ${seen.headers.authorization}`] }));
    const garbage = await failure(model);
    server.answer((seen) => ({ steps: [dataEvent({ error: { message: `key ${KEY} of ${seen.path}` } })] }));
    const inStream = await failure(model);
    for (const error of [refused, garbage, inStream]) {
      expect(error.message).toContain("***");
      expect(JSON.stringify([error, error.message, error.stack, error.cause])).not.toContain("0123456789");
    }
  });

  it("is not there", async () => {
    const { server, model } = await connected(textReply("x"));
    await server.close();
    expect(await failure(model)).toMatchObject({
      code: "network",
      message: "local could not be reached (ECONNREFUSED)",
    });
  });

  it("closes the connection before it answers", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {}).once("data", () => socket.end());
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const model = compatGateway({ baseUrl: `http://127.0.0.1:${port}`, name: "local" });
    expect(await failure(model)).toMatchObject({
      code: "network",
      message: expect.stringMatching(/^local closed the connection before it answered/),
      hasAnswered: false,
    });
    server.close();
    await model.close();
  });

  it("does not speak HTTP", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {}).once("data", () => socket.end("SSH-2.0-none\r\n"));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const model = compatGateway({ baseUrl: `http://127.0.0.1:${port}`, name: "local" });
    expect((await failure(model)).code).toBe("bad_response");
    server.close();
    await model.close();
  });

  it("spoils nothing for the next call", async () => {
    const { server, model } = await connected({ steps: ["data: {", { do: "cut" }] });
    await failure(model);
    server.answer(textReply("fine"));
    expect((await collect(model))[0]).toEqual({ kind: "text", text: "fine" });
  });
});

describe("a connection that cannot work is refused when it is made", () => {
  it.each(["", "gateway:4000", "ftp://host/v1", "http://user:pass@host/v1"])("address %j", (baseUrl) => {
    expect(() => compatGateway({ baseUrl })).toThrow(ModelConfigError);
  });

  it("a key that no header can carry, without showing it", () => {
    const make = (): unknown => compatGateway({ baseUrl: "http://host/v1", apiKey: "sk-1\nX-Evil: 1" });
    expect(make).toThrow(ModelConfigError);
    expect(make).not.toThrow(/sk-1/);
  });
});

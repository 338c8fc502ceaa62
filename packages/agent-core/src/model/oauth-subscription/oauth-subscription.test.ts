/** Both subscription wires against doubles of their servers, over real sockets (R9). */
import { afterEach, describe, expect, it } from "vitest";
import { errorReply } from "../../testing/gateway-replies.ts";
import { type GatewayReply, type GatewayScript, localGateway } from "../../testing/local-gateway.ts";
import { manualClock } from "../../testing/manual-clock.ts";
import { messagesAnswer, responsesAnswer, type WireAnswer, wireEvent } from "../../testing/subscription-replies.ts";
import { ModelError } from "../model-error.ts";
import type { Model, ModelEvent, ModelRequest } from "../model-port.ts";
import { oauthSubscriptionA, oauthSubscriptionB, TokenSource } from "./index.ts";

const TOKEN = "tok-0123456789-very-secret";
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

interface Wire {
  readonly open: typeof oauthSubscriptionA;
  readonly answer: (answer: WireAnswer) => GatewayReply;
  readonly path: string;
}

const wires: { readonly [name: string]: Wire } = {
  "oauth-subscription-a": { open: oauthSubscriptionA, answer: messagesAnswer, path: "/v1/v1/messages" },
  "oauth-subscription-b": { open: oauthSubscriptionB, answer: responsesAnswer, path: "/v1/responses" },
};

async function connected(open: Wire["open"], script: GatewayScript, requestTimeoutMs = 5_000) {
  const server = await localGateway(script);
  const clock = manualClock(Date.UTC(2026, 10, 21));
  const tokens = new TokenSource({
    name: "sub",
    tokens: { accessToken: TOKEN, refreshToken: "" },
    tokenEndpoint: "",
    clientId: "",
    clock,
  });
  const model = open({ name: "sub", tokens, baseUrl: server.baseUrl, requestTimeoutMs, clock });
  ends.push(
    () => server.close(),
    () => model.close(),
  );
  return { server, model };
}

const hello: ModelRequest = {
  model: "m1",
  messages: [{ role: "user", content: [{ kind: "text", text: "Hello" }] }],
  tools: [],
  settings: {},
};

async function collect(model: Model, more: Partial<ModelRequest> = {}, signal = new AbortController().signal) {
  const events: ModelEvent[] = [];
  for await (const event of model.stream({ ...hello, ...more }, { signal })) events.push(event);
  return events;
}

async function failure(model: Model): Promise<ModelError> {
  const error = await collect(model).catch((thrown: unknown) => thrown);
  if (!(error instanceof ModelError)) return expect.fail(`no ModelError: ${String(error)}`);
  return error;
}

const joined = (events: readonly ModelEvent[], kind: "text" | "reasoning"): string =>
  events.flatMap((event) => (event.kind === kind ? [event.text] : [])).join("");

describe.each(Object.entries(wires))("%s", (_name, { open, answer, path }) => {
  it("yields reasoning, text, usage with the cached tokens, and the finish", async () => {
    const { server, model } = await connected(open, answer({ thinking: "Hm.", text: ["Hel", "lo ", "wörld"] }));
    const events = await collect(model);
    expect([joined(events, "reasoning"), joined(events, "text")]).toEqual(["Hm.", "Hello wörld"]);
    expect(events.slice(-2)).toMatchObject([
      { kind: "usage", usage: { input: 45, output: 7, cacheRead: 30 } },
      { kind: "finish", reason: "stop" },
    ]);
    const { headers, path: asked } = server.requests[0]!;
    expect(asked).toBe(path);
    expect(headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, "user-agent": "agent-service" });
    // We never present ourselves as another vendor's program.
    expect(JSON.stringify({ ...headers, ...(server.requests[0]!.body as object) })).not.toMatch(
      /claude|codex|cli\b|originator/i,
    );
  });

  it("makes parallel tool calls whole, also one without arguments", async () => {
    const calls = [
      { id: "a", name: "calculator", args: '{"expression":"6*7"}' },
      { id: "b", name: "current_time", args: "" },
    ];
    const { model } = await connected(open, answer({ text: ["Let me see."], calls }));
    const events = await collect(model);
    expect(events.filter(({ kind }) => kind === "tool-call")).toEqual([
      { kind: "tool-call", call: { id: "a", name: "calculator", args: '{"expression":"6*7"}' } },
      { kind: "tool-call", call: { id: "b", name: "current_time", args: "{}" } },
    ]);
    expect(events.at(-1)).toEqual({ kind: "finish", reason: "tool-calls" });
  });

  it("reports an answer that was cut off or withheld", async () => {
    const isA = path.endsWith("messages");
    for (const [stop, reason] of [
      [isA ? "max_tokens" : "max_output_tokens", "length"],
      [isA ? "refusal" : "content_filter", "content-filter"],
    ] as const) {
      const { model } = await connected(open, answer({ text: ["Half"], stop }));
      expect((await collect(model)).at(-1)).toEqual({ kind: "finish", reason });
    }
  });

  it("does not depend on how the bytes are cut", async () => {
    const whole = answer({ thinking: "Hm.", text: ["wörld"], calls: [{ id: "a", name: "n", args: '{"x":1}' }] });
    const bytes = Buffer.from(whole.steps.map(String).join(""));
    const cut = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => bytes.subarray(at * 7, at * 7 + 7));
    const { server, model } = await connected(open, whole);
    const merged = (events: ModelEvent[]) => [
      joined(events, "reasoning"),
      joined(events, "text"),
      ...events.filter(({ kind }) => kind !== "text" && kind !== "reasoning"),
    ];
    const first = merged(await collect(model));
    server.answer({ steps: cut });
    expect(merged(await collect(model))).toEqual(first);
  });

  it.each<[string, number, string, boolean, string]>([
    ["bad settings", 400, "bad_request", false, "temperature: must be below 1"],
    ["too long a prompt", 400, "context_overflow", false, "prompt is too long: 210000 tokens > 200000 maximum"],
    ["an unknown model", 404, "unknown_model", false, "model: m1"],
    ["a refused token", 401, "unauthorized", false, `invalid bearer ${TOKEN}`],
    ["a limit", 429, "rate_limited", true, "slow down"],
    ["a fault", 500, "upstream", true, "internal"],
    ["overload", 529, "upstream", true, "overloaded"],
  ])("reports %s (%i) as %s", async (_, status, code, retryable, message) => {
    const { model } = await connected(open, errorReply(status, message, { "retry-after": "7" }));
    const error = await failure(model);
    expect(error).toMatchObject({ code, status, retryable, retryAfterMs: 7_000 });
    expect(error.message).not.toContain(TOKEN);
    if (status !== 401) expect(error.message).toContain(message);
  });

  it.each<[string, GatewayReply, string]>([
    ["a page", { steps: ["<html>Sign in</html>"] }, "bad_response"],
    ["nothing", { steps: [] }, "network"],
    ["a redirect", { status: 302, headers: { location: "http://127.0.0.1:1/" }, steps: [] }, "bad_response"],
    ["half an answer", answer({ text: ["Half"], ending: [] }), "network"],
    ["a cut in the middle", answer({ text: ["Half"], ending: [{ do: "cut" }] }), "network"],
    ["a stall in the middle", answer({ text: ["Half"], ending: [{ do: "stall" }] }), "timeout"],
    ["a stall before the first byte", { before: new Promise(() => {}), steps: [] }, "timeout"],
    [
      "an error inside the stream",
      answer({
        text: ["Half"],
        ending: [wireEvent({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } })],
      }),
      "upstream",
    ],
  ])("reports %s", async (_, reply, code) => {
    const { model } = await connected(open, reply, 80);
    expect(await failure(model)).toMatchObject({ code });
  });

  it("carries the trace of its caller", async () => {
    const { server, model } = await connected(open, answer({ text: ["x"] }));
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    await Array.fromAsync(model.stream(hello, { signal: new AbortController().signal, traceparent }));
    expect(server.requests[0]?.headers.traceparent).toBe(traceparent);
  });

  it("ends at once when aborted, and closes the socket", async () => {
    const { server, model } = await connected(open, answer({ text: ["x"], ending: [{ do: "stall" }] }));
    const abort = new AbortController();
    const stream = model.stream(hello, { signal: abort.signal })[Symbol.asyncIterator]();
    expect(await stream.next()).toMatchObject({ value: { kind: "text", text: "x" } });
    const next = stream.next();
    abort.abort("enough");
    await expect(next).rejects.toBe("enough");
    await server.requests[0]?.cut;
  });
});

const conversation: Partial<ModelRequest> = {
  system: "Be terse.",
  messages: [
    { role: "assistant", text: "Earlier." },
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
      ],
    },
    { role: "tool", callId: "a", name: "look", text: "seen" },
    { role: "tool", callId: "b", name: "look", text: "" },
    { role: "user", content: [{ kind: "text", text: "And?" }] },
  ],
  tools: [{ name: "look", description: "Looks.", parameters: { type: "object" } }],
  settings: {
    maxTokens: 100,
    temperature: 1.4,
    topP: 0.9,
    topK: -1,
    presencePenalty: 1,
    extraBody: { metadata: { user_id: "u" } },
  },
};

describe("the Messages wire", () => {
  it("writes turns that alternate, results before later messages, and only fields of the wire", async () => {
    const { server, model } = await connected(oauthSubscriptionA, messagesAnswer({ text: ["ok"] }));
    await collect(model, conversation);
    expect(server.requests[0]?.headers["anthropic-version"]).toBe("2023-06-01");
    expect(server.requests[0]?.body).toEqual({
      model: "m1",
      max_tokens: 100,
      system: "Be terse.",
      messages: [
        { role: "user", content: [{ type: "text", text: "(The conversation so far is left out.)" }] },
        { role: "assistant", content: [{ type: "text", text: "Earlier." }] },
        {
          role: "user",
          content: [
            { type: "text", text: "See" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "tool_use", id: "a", name: "look", input: { x: 1 } },
            { type: "tool_use", id: "b", name: "look", input: { unparsable_arguments: "{broken" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "a", content: "seen" },
            { type: "tool_result", tool_use_id: "b", content: "(no text)" },
            { type: "text", text: "And?" },
          ],
        },
      ],
      tools: [{ name: "look", description: "Looks.", input_schema: { type: "object" } }],
      temperature: 1,
      top_p: 0.9,
      metadata: { user_id: "u" },
      stream: true,
    });
  });
});

describe("cache marks on the Messages wire (B55 prompt_cache)", () => {
  it("stand behind the stable part of the system text and on the newest two turns of a user", async () => {
    const { server, model } = await connected(oauthSubscriptionA, messagesAnswer({ text: ["ok"] }));
    await collect(model, { ...conversation, system: "Stable. Not.", stableSystemChars: 7, cache: { ttl: "1h" } });
    const body = server.requests[0]?.body as {
      system: unknown;
      messages: { content: { cache_control?: unknown }[] }[];
    };
    const mark = { type: "ephemeral", ttl: "1h" };
    expect(body.system).toEqual([
      { type: "text", text: "Stable.", cache_control: mark },
      { type: "text", text: " Not." },
    ]);
    const marks = body.messages.map(({ content }) => content.map((block) => block.cache_control));
    expect(marks).toEqual([
      [undefined],
      [undefined],
      [undefined, mark],
      [undefined, undefined],
      [undefined, undefined, mark],
    ]);
  });
});

describe("the Responses wire (SVC_CODEX_OUTPUT_VERSION)", () => {
  const bodyOf = async (outputVersion?: "responses/v1" | "v0") => {
    const open: Wire["open"] = (options) => oauthSubscriptionB({ ...options, outputVersion });
    const { server, model } = await connected(open, responsesAnswer({ text: ["ok"] }));
    await collect(model, conversation);
    return server.requests[0]?.body as { input: unknown[] };
  };
  const calls = [
    { type: "function_call", call_id: "a", name: "look", arguments: '{"x":1}' },
    { type: "function_call", call_id: "b", name: "look", arguments: '{"unparsable_arguments":"{broken"}' },
    { type: "function_call_output", call_id: "a", output: "seen" },
    { type: "function_call_output", call_id: "b", output: "" },
  ];
  const image = { type: "input_image", image_url: "data:image/png;base64,AAAA" };

  it("writes typed parts, keeps nothing there, and sends neither sampling nor a cap", async () => {
    expect(await bodyOf()).toEqual({
      model: "m1",
      instructions: "Be terse.",
      input: [
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "Earlier.", annotations: [] }] },
        { type: "message", role: "user", content: [{ type: "input_text", text: "See" }, image] },
        ...calls,
        { type: "message", role: "user", content: [{ type: "input_text", text: "And?" }] },
      ],
      tools: [{ type: "function", name: "look", description: "Looks.", parameters: { type: "object" }, strict: false }],
      metadata: { user_id: "u" },
      store: false,
      stream: true,
    });
  });

  it("v0: plain text where there is nothing else", async () => {
    expect((await bodyOf("v0")).input).toEqual([
      { type: "message", role: "assistant", content: "Earlier." },
      { type: "message", role: "user", content: [{ type: "input_text", text: "See" }, image] },
      ...calls,
      { type: "message", role: "user", content: "And?" },
    ]);
  });

  it("reads both content shapes, and an answer that came without deltas", async () => {
    for (const content of ["All of it.", [{ type: "output_text", text: "All of it." }]]) {
      const output = [{ type: "message", id: "m", content }];
      const done = wireEvent({ type: "response.completed", response: { output } });
      const { model } = await connected(oauthSubscriptionB, { steps: [done] });
      expect(await collect(model)).toEqual([
        { kind: "text", text: "All of it." },
        { kind: "finish", reason: "stop" },
      ]);
    }
  });

  it("names the account that the operator's own token names", async () => {
    const claims = Buffer.from(JSON.stringify({ "https://api.openai.com/auth": { chatgpt_account_id: "acc-1" } }));
    const accessToken = `h.${claims.toString("base64url")}.s`;
    const { server } = await connected(oauthSubscriptionB, responsesAnswer({ text: ["ok"] }));
    const tokens = new TokenSource({
      name: "s",
      tokens: { accessToken, refreshToken: "" },
      tokenEndpoint: "",
      clientId: "",
      clock: manualClock(),
    });
    const model = oauthSubscriptionB({ name: "s", tokens, baseUrl: server.baseUrl });
    ends.push(() => model.close());
    await collect(model);
    expect(server.requests[0]?.headers["chatgpt-account-id"]).toBe("acc-1");
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiError } from "./api-error.ts";
import { readChatRequest } from "./chat-request.ts";

const messages = [{ role: "user", content: "hi" }];
const read = (body: object, headers: Record<string, string> = {}) =>
  readChatRequest({ messages, ...body }, new Headers(headers));

describe("a request (V1)", () => {
  it("needs nothing but messages; null is what is left out", () => {
    const conversation = { history: [], input: [{ kind: "text", text: "hi" }] };
    const least = { stream: false, includeUsage: false, conversation, answer: {}, ignored: [] };
    expect(read({})).toEqual(least);
    const nulls = {
      model: null,
      user: null,
      session_id: null,
      stream: null,
      stream_options: null,
      n: null,
      tools: null,
    };
    expect(read(nulls)).toEqual(least);
    expect(read({ metadata: {}, user: "everybody", whatever: [1] })).toEqual(least);
  });

  it("takes its session from the body, else the header; a user is none", () => {
    const header = { "x-session-id": "h" };
    expect(read({ session_id: "b", user: "u" }, header).session).toBe("b");
    expect(read({ session_id: "", user: "u" }, header).session).toBe("h");
    expect(read({ user: "u" })).not.toHaveProperty("session");
  });

  it("sets sampling, stop sequences and schema of its answer", () => {
    const asked = { temperature: 2, top_p: 1, max_tokens: 1, seed: -7, reasoning_effort: "low", stop: "END" };
    expect(read(asked).answer).toEqual({
      sampling: { temperature: 2, topP: 1, maxTokens: 1, seed: -7, reasoningEffort: "low" },
      stop: ["END"],
    });
    expect(read({ max_completion_tokens: 3, max_tokens: 9 }).answer).toEqual({ sampling: { maxTokens: 3 } });
    const schema = { type: "object", required: ["a"] };
    const json = (outputSchema: object) => ({ skill: { resultMime: "application/json", outputSchema } });
    expect(read({ response_format: { type: "json_object" } }).answer).toEqual(json({ type: "object" }));
    const format = { type: "json_schema", json_schema: { name: "x", schema } };
    expect(read({ response_format: format }).answer).toEqual(json(schema));
  });

  it("names what its answer does without", () => {
    const tools = [{ type: "function", function: { name: "f" } }];
    expect(read({ tools, tool_choice: "auto", logit_bias: { 1: 2 } }).ignored).toEqual(["tools", "logit_bias"]);
    expect(read({ tools, tool_choice: "none" }).ignored).toEqual(["tools"]);
    expect(read({ functions: tools, verbosity: "low" }).ignored).toEqual(["functions", "verbosity"]);
    expect(read({ tools: [], presence_penalty: 0, frequency_penalty: null }).ignored).toEqual([]);
  });

  it.each<[string, object]>([
    ["n", { n: 2 }],
    ["n", { n: "1" }],
    ["tool_choice", { tool_choice: "required" }],
    ["tool_choice", { tool_choice: { type: "function" } }],
    ["function_call", { function_call: { name: "f" } }],
    ["temperature", { temperature: 2.1 }],
    ["temperature", { temperature: "hot" }],
    ["top_p", { top_p: -0.1 }],
    ["max_tokens", { max_tokens: 0 }],
    ["max_completion_tokens", { max_completion_tokens: 1.5 }],
    ["seed", { seed: 2 ** 60 }],
    ["reasoning_effort", { reasoning_effort: "enormous" }],
    ["stop", { stop: "" }],
    ["stop", { stop: [7] }],
    ["stop", { stop: ["a", "b", "c", "d", "e"] }],
    ["stop", { stop: "x".repeat(257) }],
    ["response_format", { response_format: "json" }],
    ["response_format.type", { response_format: { type: "xml" } }],
    ["response_format.json_schema", { response_format: { type: "json_schema" } }],
    ["response_format.json_schema.schema", { response_format: { type: "json_schema", json_schema: { schema: [] } } }],
    [
      "response_format.json_schema.schema",
      { response_format: { type: "json_schema", json_schema: { schema: { type: "text" } } } },
    ],
    [
      "response_format.json_schema.schema",
      { response_format: { type: "json_schema", json_schema: { schema: { title: "x".repeat(300_000) } } } },
    ],
    ["logprobs", { logprobs: true }],
    ["modalities", { modalities: ["text", "audio"] }],
    ["audio", { audio: { voice: "a" } }],
    ["stream", { stream: "yes" }],
    ["stream_options", { stream_options: [] }],
    ["stream_options.include_usage", { stream_options: { include_usage: 1 } }],
    ["model", { model: 7 }],
    ["model", { model: "m".repeat(257) }],
    ["session_id", { session_id: "a\u0000b" }],
    ["session_id", { session_id: "\ud800" }],
  ])("that asks for another %s is refused by its name: %j", (param, body) => {
    expect(() => read(body)).toThrow(ApiError);
    expect(() => read(body)).toThrow(
      expect.objectContaining({ status: 400, object: expect.objectContaining({ param }) }),
    );
  });

  it.each<object>([
    { n: 1 },
    { tools: [] },
    { tool_choice: "auto" },
    { tool_choice: "none" },
    { response_format: { type: "text" } },
    { stop: [] },
    { logprobs: false },
    { modalities: ["text"] },
  ])("that asks for what is done anyway is served: %j", (body) => {
    expect(read(body).conversation.input).toHaveLength(1);
  });

  it("has a key whose digest covers the request, not whether the answer is streamed (A15)", () => {
    const digest = (body: object) => read(body, { "idempotency-key": "k" }).key?.digest;
    expect(read({}, { "idempotency-key": "k" }).key).toMatchObject({ key: "k" });
    expect(digest({ stream: true, stream_options: { include_usage: true } })).toBe(digest({}));
    const others = [
      { model: "m" },
      { session_id: "s" },
      { messages: [{ role: "user", content: "ho" }] },
      { stop: "a" },
      { seed: 1 },
    ];
    expect(new Set([digest({}), ...others.map(digest)]).size).toBe(6);
  });

  it("of any shape is read or refused with 400", () => {
    const names = [
      "model",
      "messages",
      "n",
      "tools",
      "stop",
      "seed",
      "response_format",
      "stream",
      "stream_options",
      "user",
      "session_id",
    ];
    const body = fc.dictionary(fc.constantFrom(...names), fc.jsonValue());
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), body), (value) => {
        try {
          readChatRequest(value, new Headers());
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          expect(error.status).toBe(400);
        }
      }),
    );
  });
});

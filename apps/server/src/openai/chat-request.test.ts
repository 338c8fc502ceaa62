import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiError } from "./api-error.ts";
import { readChatRequest } from "./chat-request.ts";

const messages = [{ role: "user", content: "hi" }];
const read = (body: object, headers: Record<string, string> = {}) =>
  readChatRequest({ messages, ...body }, new Headers(headers));

describe("a request (ruling V1)", () => {
  it("needs nothing but messages; null is what is left out", () => {
    const conversation = { history: [], input: [{ kind: "text", text: "hi" }] };
    const least = { stream: false, includeUsage: false, conversation };
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
    expect(read({ temperature: 2, max_tokens: 1, seed: 7, metadata: {}, whatever: [1] })).toEqual(least);
  });

  it("takes its session from the body, else the header, else the user", () => {
    const header = { "x-session-id": "h" };
    expect(read({ session_id: "b", user: "u" }, header).session).toBe("b");
    expect(read({ session_id: "", user: "u" }, header).session).toBe("h");
    expect(read({ user: "u" }).session).toBe("u");
    expect(read({ user: "" })).not.toHaveProperty("session");
  });

  it.each<[string, object]>([
    ["n", { n: 2 }],
    ["n", { n: "1" }],
    ["tools", { tools: [{}] }],
    ["functions", { functions: [{}] }],
    ["tool_choice", { tool_choice: "required" }],
    ["tool_choice", { tool_choice: { type: "function" } }],
    ["response_format", { response_format: { type: "json_schema" } }],
    ["stop", { stop: "END" }],
    ["stop", { stop: ["END"] }],
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
    ["user", { user: "u".repeat(1025) }],
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

  it("has a key whose digest stands for what is asked, not for how the answer travels (A15)", () => {
    const digest = (body: object) => read(body, { "idempotency-key": "k" }).key?.digest;
    expect(read({}, { "idempotency-key": "k" }).key).toMatchObject({ key: "k" });
    expect(digest({ stream: true, stream_options: { include_usage: true } })).toBe(digest({}));
    const others = [{ model: "m" }, { session_id: "s" }, { messages: [{ role: "user", content: "ho" }] }].map(digest);
    expect(new Set([digest({}), ...others]).size).toBe(4);
  });

  it("of any shape is read or refused with 400", () => {
    const names = ["model", "messages", "n", "tools", "stop", "stream", "stream_options", "user", "session_id"];
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

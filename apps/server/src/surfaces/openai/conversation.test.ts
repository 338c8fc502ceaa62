import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiError } from "./api-error.ts";
import { MAX_INSTRUCTIONS, MAX_MESSAGES, readConversation } from "./conversation.ts";

const system = (content: unknown) => ({ role: "system", content });
const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown, more: object = {}) => ({ role: "assistant", content, ...more });

/** The field named by the refusal. */
function refusedParam(messages: unknown): string | null {
  try {
    readConversation(messages);
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return error.object.param;
    throw error;
  }
  return expect.fail("it was read");
}

describe("what messages mean (V1)", () => {
  it("takes the last user message as what is asked, and what was before it as history", () => {
    const read = readConversation([user("one"), assistant("1"), user("two"), user([{ type: "text", text: "three" }])]);
    expect(read).toEqual({
      history: [
        { from: "caller", message: { messageId: "prior-0", parts: [{ kind: "text", text: "one" }] } },
        { from: "agent", text: "1" },
        { from: "caller", message: { messageId: "prior-2", parts: [{ kind: "text", text: "two" }] } },
      ],
      input: [{ kind: "text", text: "three" }],
    });
  });

  it("takes system text at the ends as instructions, in the middle as a note where it stood", () => {
    const developer = { role: "developer", content: [{ type: "text", text: "B" }] };
    const read = readConversation([
      system("A"),
      developer,
      user("1"),
      system("C"),
      user("2"),
      system("D"),
      system(" "),
    ]);
    expect(read.instructions).toBe("A\n\nB\n\nD");
    expect(read.history).toMatchObject([{ from: "caller" }, { from: "note", text: "C" }]);
  });

  it("turns the caller's tools into notes, and leaves out messages without text", () => {
    const call = { id: "c", type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } };
    const { history } = readConversation([
      user("weather?"),
      assistant(null, { tool_calls: [call, "nonsense", { id: "d" }] }),
      { role: "tool", tool_call_id: "c", content: "rain" },
      { role: "tool", tool_call_id: "unknown", content: "sun" },
      { role: "function", name: "old", content: "snow" },
      assistant(null, { refusal: "I cannot say." }),
      user("thanks"),
    ]);
    expect(history.slice(1)).toEqual([
      { from: "note", text: 'The tool weather, called with {"city":"Rome"}, returned:\nrain' },
      { from: "note", text: "A tool returned:\nsun" },
      { from: "note", text: "The tool old returned:\nsnow" },
      { from: "agent", text: "I cannot say." },
    ]);
  });

  it("takes images and files as bytes", () => {
    const { input } = readConversation([
      user([
        { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0K", detail: "low" } },
        { type: "image_url", image_url: "data:image/webp;base64,UklG" },
        { type: "file", file: { filename: "a.csv", file_data: "data:text/csv;charset=utf-8;base64,YTti" } },
      ]),
    ]);
    expect(input).toEqual([
      { kind: "file", mediaType: "image/png", bytes: "iVBORw0K" },
      { kind: "file", mediaType: "image/webp", bytes: "UklG" },
      { kind: "file", mediaType: "text/csv", bytes: "YTti", name: "a.csv" },
    ]);
  });
});

describe("a last message that is not a user's (V1)", () => {
  const call = { id: "c", type: "function", function: { name: "weather", arguments: "{}" } };

  it("is continued from: the agent's own answer, or the result of a tool", () => {
    const own = readConversation([user("count"), assistant("one, two"), system("Be brief.")]);
    expect(own.history.at(-1)).toEqual({ from: "agent", text: "one, two" });
    expect(own.input).toEqual([{ kind: "text", text: expect.stringMatching(/^Go on/) }]);
    expect(own.instructions).toBe("Be brief.");
    const result = { role: "tool", tool_call_id: "c", content: "rain" };
    const after = readConversation([user("weather?"), assistant(null, { tool_calls: [call] }), result]);
    expect(after.history).toMatchObject([{ from: "caller" }]);
    expect(after.input).toEqual([{ kind: "text", text: "The tool weather, called with {}, returned:\nrain" }]);
    const calls = readConversation([user("weather?"), assistant(null, { tool_calls: [call] })]);
    expect([calls.history.length, calls.input]).toEqual([1, own.input]);
    expect(readConversation([assistant("alone")])).toMatchObject({ history: [{ text: "alone" }], input: own.input });
  });

  it("is not what a session continues with: that is the last user's", () => {
    const messages = [user("one"), assistant("1"), user("two"), assistant("made up"), system("Be brief.")];
    const read = readConversation(messages, true);
    expect(read).toMatchObject({ input: [{ kind: "text", text: "two" }], instructions: "Be brief." });
    expect(() => readConversation([assistant("alone")], true)).toThrow(ApiError);
  });
});

describe("what does not fit is named", () => {
  const part = (value: unknown) => [user([{ type: "text", text: "x" }, value])];
  const image = (url: unknown) => part({ type: "image_url", image_url: { url } });

  it.each<[string, unknown, string]>([
    ["no list", "hi", "messages"],
    ["nothing", [], "messages"],
    ["too many", Array.from({ length: MAX_MESSAGES + 1 }, () => user("x")), "messages"],
    ["no object", [null], "messages[0]"],
    ["an unknown role", [user("x"), { role: "robot", content: "x" }], "messages[1].role"],
    ["only system text", [system("x")], "messages"],
    ["too much system text", [system("x".repeat(MAX_INSTRUCTIONS + 1)), user("x")], "messages"],
    ["no content", [user(undefined)], "messages[0].content"],
    ["no parts", [user([])], "messages[0].content"],
    [
      "too many parts",
      [user(Array.from({ length: 1_001 }, () => ({ type: "text", text: "" })))],
      "messages[0].content",
    ],
    ["a part that is no object", part(7), "messages[0].content[1]"],
    ["a part of another type", part({ type: "input_audio" }), "messages[0].content[1].type"],
    ["a text that is none", part({ type: "text", text: 7 }), "messages[0].content[1].text"],
    ["an address", image("https://example.com/a.png"), "messages[0].content[1].image_url.url"],
    ["a data URL without base64", image("data:image/png,abc"), "messages[0].content[1].image_url.url"],
    ["bytes that are no base64", image("data:image/png;base64,a b"), "messages[0].content[1].image_url.url"],
    ["no bytes", image("data:image/png;base64,=="), "messages[0].content[1].image_url.url"],
    ["padding within bytes", image("data:image/png;base64,eA==eA"), "messages[0].content[1].image_url.url"],
    ["too much padding", image("data:image/png;base64,eA==="), "messages[0].content[1].image_url.url"],
    ["a file by id", part({ type: "file", file: { file_id: "f" } }), "messages[0].content[1].file.file_data"],
    [
      "an image from the system",
      [system([{ type: "image_url", image_url: "data:image/png;base64,eA==" }]), user("x")],
      "messages[0].content",
    ],
  ])("%s", (_, messages, param) => {
    expect(refusedParam(messages)).toBe(param);
  });

  it("does not stall on a long data URL that never fits", () => {
    // Looked at from each of its characters again, one of these would take hours.
    expect(refusedParam(image(`data:a/b${";".repeat(5_000_000)}`))).toContain("image_url");
    expect(refusedParam(image(`data:a/b;base64,${"A".repeat(5_000_000)}!`))).toContain("image_url");
    expect(refusedParam(image(`data:a/b;base64,${"=".repeat(5_000_000)}`))).toContain("image_url");
  });
});

describe("any messages at all", () => {
  const field = fc.oneof(fc.constant(undefined), fc.jsonValue({ maxDepth: 2 }), fc.string());
  const anyMessage = fc.record(
    {
      role: fc.oneof(fc.constantFrom("system", "developer", "user", "assistant", "tool", "function"), field),
      content: fc.oneof(
        field,
        fc.array(
          fc.record(
            { type: fc.constantFrom("text", "refusal", "image_url", "file", "x"), text: field, image_url: field },
            { requiredKeys: [] },
          ),
          { maxLength: 3 },
        ),
      ),
      tool_calls: field,
      tool_call_id: field,
      name: field,
    },
    { requiredKeys: [] },
  );

  it("are read, or refused by a field of theirs", () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.array(anyMessage, { maxLength: 5 })), (messages) => {
        try {
          const { input } = readConversation(messages);
          expect(input.length).toBeGreaterThan(0);
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          expect(error.object.param).toMatch(/^messages/);
        }
      }),
    );
  });

  it("of text keep all of it, whatever the role", () => {
    const message = fc.record({ role: fc.constantFrom("system", "user", "assistant", "tool"), content: fc.uuid() });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), fc.uuid(), (before, last) => {
        const read = JSON.stringify(readConversation([...before, user(last)]));
        for (const { content } of before) expect(read).toContain(content);
        expect(read).toContain(last);
      }),
    );
  });
});

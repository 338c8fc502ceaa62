import { describe, expect, test } from "vitest";
import type { ModelMessage } from "../model/index.ts";
import { compactMessages, KEEP_AFTER_OVERFLOW } from "./compact.ts";
import { AWAITING_A_PERSON, showHistory } from "./history.ts";
import { inputContent, inputText, MAX_INLINE_FILE_BYTES, UnsupportedContentError } from "./input-content.ts";
import type { StoredMessage } from "./stored-message.ts";

const user = (text: string): StoredMessage => ({ kind: "user", content: [{ kind: "text", text }] });
const calls = [
  { id: "a", name: "one", args: "{}" },
  { id: "b", name: "two", args: "{}" },
];

describe("what the model is shown of a conversation (EN4, EN7)", () => {
  test("puts each result at its call, whenever it came, and marks calls that await a person", () => {
    const items = [user("1"), { kind: "assistant", text: "", toolCalls: calls } as const, user("2")];
    const shown = showHistory({
      items: items.map((message, id) => ({ id, task: "t", message })),
      results: new Map([["b", "late result"]]),
    });
    expect(shown.map((message) => (message.role === "tool" ? message.text : message.role))).toEqual([
      "user",
      "assistant",
      AWAITING_A_PERSON,
      "late result",
      "user",
    ]);
  });

  test("shows notes as messages of a user", () => {
    const note: StoredMessage = { kind: "note", text: "mind this" };
    expect(showHistory({ items: [{ id: 1, task: "t", message: note }], results: new Map() })).toEqual([
      { role: "user", content: [{ kind: "text", text: "mind this" }] },
    ]);
  });
});

describe("after a context overflow (R5)", () => {
  const message = (i: number): ModelMessage => ({ role: "user", content: [{ kind: "text", text: `${i}` }] });
  const result = (i: number, text = `r${i}`): ModelMessage => ({ role: "tool", callId: `${i}`, name: "t", text });

  test("a short conversation stays unchanged", () => {
    const messages = [message(1), { role: "assistant", text: "x" } as const, result(1)];
    expect(compactMessages(messages)).toEqual(messages);
  });

  test("the newest messages stay with a note, never beginning with a result without its call", () => {
    const messages: ModelMessage[] = [message(0)];
    for (let i = 0; i < 10; i++) {
      messages.push({ role: "assistant", text: "", toolCalls: [{ id: `${i}`, name: "t", args: "{}" }] }, result(i));
    }
    const shown = compactMessages(messages, 5);
    expect(shown.map(({ role }) => role)).toEqual(["user", "user", "assistant", "tool", "assistant", "tool"]);
    expect(shown[1]).toBe(messages[0]);
    expect(compactMessages(messages).length).toBeLessThanOrEqual(KEEP_AFTER_OVERFLOW + 2);
  });

  test("a last step of many calls stays whole: a model that does not see its calls makes them again", () => {
    const many = Array.from({ length: 20 }, (_, i) => ({ id: `${i}`, name: "t", args: "{}" }));
    const messages: ModelMessage[] = [message(0), message(1), { role: "assistant", text: "", toolCalls: many }];
    for (const { id } of many) messages.push(result(Number(id), "y".repeat(9_000)));
    const shown = compactMessages(messages);
    expect(shown.map(({ role }) => role).slice(0, 3)).toEqual(["user", "user", "assistant"]);
    expect(shown.filter(({ role }) => role === "tool")).toHaveLength(20);
    expect(JSON.stringify(shown).length).toBeLessThan(20 * 4_200);
  });

  test("long results are cut in the middle", () => {
    const shown = compactMessages([message(1), result(1, `head${"x".repeat(50_000)}tail`)])[1];
    const text = shown?.role === "tool" ? shown.text : "";
    expect(text.length).toBeLessThan(4_100);
    expect(text).toMatch(/^head.*characters left out.*tail$/s);
  });
});

describe("what callers send, as the model reads it (A12)", () => {
  const file = (mediaType: string, bytes: Buffer | string, name = "f") =>
    inputContent({
      messageId: "m",
      parts: [{ kind: "file", name, mediaType, bytes: Buffer.from(bytes).toString("base64") }],
    });

  test("text as it is, data as JSON, images as images, text-like files inlined", () => {
    expect(
      inputContent({
        messageId: "m",
        parts: [
          { kind: "text", text: "hi" },
          { kind: "data", data: { a: 1 } },
        ],
      }),
    ).toEqual([
      { kind: "text", text: "hi" },
      { kind: "text", text: '{"a":1}' },
    ]);
    expect(file("image/PNG", "x")).toEqual([{ kind: "image", mediaType: "image/png", data: "eA==" }]);
    expect(file("text/csv", "a;b", "t.csv")).toEqual([{ kind: "text", text: "File t.csv (text/csv):\na;b" }]);
    for (const type of ["application/json", "application/ld+json", "application/x-yaml"]) {
      expect(file(type, "{}")).toHaveLength(1);
    }
  });

  test.each([
    ["another type", "application/zip", "PK"],
    ["a type that only begins like a text one", "application/jsonx", "{}"],
    ["more than 256 KiB", "text/plain", "x".repeat(MAX_INLINE_FILE_BYTES + 1)],
  ])("a file of %s is refused by name", (_, type, bytes) => {
    expect(() => file(type, bytes, "big.bin")).toThrow(UnsupportedContentError);
    expect(() => file(type, bytes, "big.bin")).toThrow(/big\.bin/);
  });

  test("a text part joins by lines where text alone is wanted", () => {
    const parts = [
      { kind: "text", text: "a" },
      { kind: "data", data: 1 },
      { kind: "text", text: "b" },
    ] as const;
    expect(inputText({ messageId: "m", parts })).toBe("a\nb");
  });
});

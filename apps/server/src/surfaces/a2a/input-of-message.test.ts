import type { Message, Part } from "@agent-service/a2a-protocol";
import { describe, expect, it } from "vitest";
import { inputOfMessage, messageOfInput } from "./input-of-message.ts";

const message = (...parts: Part[]): Message => ({ messageId: "m1", role: "ROLE_USER", parts });

describe("a message on its way into the engine (A12)", () => {
  it("is in a task's history as it was sent", () => {
    const sent = message(
      { text: "hi" },
      { data: { a: 1 }, mediaType: "application/json" },
      { data: [1] },
      { raw: "aGk=", mediaType: "text/plain", filename: "hi.txt" },
    );
    const back = messageOfInput(inputOfMessage({ message: { ...sent, metadata: { k: "v" } } }), {
      id: "t1",
      context: "x1",
    });
    expect(back).toEqual({ ...sent, metadata: { k: "v" }, taskId: "t1", contextId: "x1" });
  });

  it("is content from outside where its sender claims it, and a claim of the opposite is ignored (G29)", () => {
    const metadataOf = (own: object | undefined, sent?: object) =>
      inputOfMessage({
        message: { ...message({ text: "hi" }), ...(own && { metadata: { ...own } }) },
        ...(sent && { metadata: { ...sent } }),
      }).metadata;
    const yes = { from_outside: true };
    const no = { from_outside: false };
    expect([metadataOf(yes), metadataOf(undefined, yes), metadataOf(no, yes)]).toEqual([yes, yes, yes]);
    expect([metadataOf(undefined), metadataOf(yes, no), metadataOf({ k: "v" }, yes)]).toEqual([
      undefined,
      yes,
      { k: "v", ...yes },
    ]);
  });

  it("a file without a type is bytes, and one by address is refused", () => {
    expect(inputOfMessage({ message: message({ raw: "aGk=" }) }).parts).toEqual([
      { kind: "file", mediaType: "application/octet-stream", bytes: "aGk=" },
    ]);
    expect(() => inputOfMessage({ message: message({ url: "http://127.0.0.1/x" }) })).toThrow(/address/);
  });
});

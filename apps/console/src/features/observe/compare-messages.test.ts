import { expect, test } from "vitest";
import { compareMessages, messageHas } from "./compare-messages.ts";
import type { PromptMessage } from "./prompt-call.ts";

const message = (id: string, text: string, more: Partial<PromptMessage> = {}): PromptMessage => ({
  ...{ id, prior: null, role: "user", text },
  ...more,
});

test("what a later call was sent besides is added, and what an earlier one had is removed", () => {
  const before = [message("1", "Hello"), message("2", "old")];
  const after = [message("a", "Hello"), message("b", "new"), message("c", "more", { role: "tool", tool: "find" })];
  expect(compareMessages(before, after).map(({ kind, message: { text } }) => [kind, text])).toEqual([
    ["same", "Hello"],
    ["removed", "old"],
    ["added", "new"],
    ["added", "more"],
  ]);
});

test("the same text of another role, or with another call, is another message", () => {
  const call = (args: string) => message("1", "", { role: "assistant", tool_calls: [{ id: "c", name: "find", args }] });
  expect(compareMessages([call("{}")], [call('{"q":1}')]).map(({ kind }) => kind)).toEqual(["removed", "added"]);
  expect(compareMessages([message("1", "x")], [message("1", "x", { role: "assistant" })])).toHaveLength(2);
});

test("a message is found by its words, its tool and the arguments of its calls", () => {
  expect(messageHas(message("1", "Good Morning"), "morning")).toBe(true);
  expect(messageHas(message("1", "", { tool: "find" }), "FIND")).toBe(true);
  expect(messageHas(message("1", "", { tool_calls: [{ id: "c", name: "f", args: '{"q":"tea"}' }] }), "tea")).toBe(true);
  expect(messageHas(message("1", "Hello"), "tea")).toBe(false);
});

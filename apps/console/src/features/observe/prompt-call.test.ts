import { expect, test } from "vitest";
import { callsOf, type PromptCall, type PromptMessage, promptText } from "./prompt-call.ts";

const call = (task: string, index: number, subagent: string | null = null): PromptCall => ({
  ...{
    call_index: index,
    task_id: task,
    ts: "2026-11-21T12:00:00Z",
    model: "m",
    reasoning_effort: null,
    sections: [],
    usage: null,
  },
  ...{
    last_message: null,
    subagent_type: subagent,
    system: { stable: "s", context: "", wire_differs: false, wire: "" },
  },
});

test("own calls, those of subagents and those of the turn before have names and keys of their own", () => {
  const turn = {
    calls: [call("t", 1), call("t", 2)],
    subagents: [{ task_id: "child", calls: [call("child", 1, "researcher")], messages: [] }],
  };
  expect(callsOf(turn, { calls: [call("before", 1)] }).map(({ key, label }) => [key, label])).toEqual([
    ["1", "Call 1"],
    ["2", "Call 2"],
    ["child:1", "researcher, call 1"],
    ["before:1", "Turn before, call 1"],
  ]);
});

test("the text is what went over the wire where that differs from what was composed", () => {
  const plain = call("t", 1);
  expect(promptText(plain)).toBe("s");
  expect(promptText({ ...plain, system: { ...plain.system, context: "c" } })).toBe("s\n\nc");
  expect(promptText({ ...plain, system: { ...plain.system, wire_differs: true, wire: "w" } })).toBe("w");
});

test("a call has the conversation up to its last message; where earlier messages are missing that is marked", () => {
  const messages: PromptMessage[] = [
    { id: "b", prior: "a", role: "user", text: "one" },
    { id: "c", prior: "b", role: "assistant", text: "two" },
  ];
  const calls = [{ ...call("t", 1), last_message: "b" }, { ...call("t", 2), last_message: "c" }, call("t", 3)];
  const [first, second, third] = callsOf({ calls, messages });
  expect(first?.conversation).toEqual({ messages: [messages[0]], cut: true });
  expect(second?.conversation?.messages.map(({ text }) => text)).toEqual(["one", "two"]);
  expect(third?.conversation).toBeUndefined();
});

test("a call follows the one before it, and the first one the last of the turn before", () => {
  const turn = { calls: [call("t", 1), call("t", 2)] };
  const before = { calls: [call("before", 1), call("before", 2)] };
  expect(callsOf(turn, before).map(({ key, follows }) => [key, follows])).toEqual([
    ["1", "before:2"],
    ["2", "1"],
    ["before:1", undefined],
    ["before:2", "before:1"],
  ]);
});

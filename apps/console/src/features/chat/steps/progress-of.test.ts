import { expect, test } from "vitest";
import { progressOf } from "./progress-of.ts";

const call = { taskId: "t-1", callId: "c-1" };
const data = { phase: "tool_progress", task_id: "t-1", tool_call_id: "c-1", text: "2 of 5" };

test("a call has the progress that names it, and nothing of its neighbours or its end", () => {
  const read = (change: object, topic = "turn.progress") => progressOf({ topic, data: { ...data, ...change } }, call);
  expect(read({})).toBe("2 of 5");
  expect([read({ tool_call_id: "c-2" }), read({ task_id: "t-2" }), read({ phase: "tool_end" })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([read({ text: 5 }), read({}, "command.output")]).toEqual([undefined, undefined]);
});

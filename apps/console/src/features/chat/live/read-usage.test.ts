import { expect, test } from "vitest";
import { readUsage } from "./read-usage.ts";

const data = {
  ...{ task_id: "t", session_id: "s", phase: "model_end", model: "m" },
  ...{ input_tokens: 40, output_tokens: 2, context_tokens: null },
};

test("usage is read from the end of a model call and from no other progress", () => {
  expect(readUsage({ topic: "turn.progress", data })).toEqual({
    taskId: "t",
    usage: { model: "m", tokens: 42, context: undefined },
  });
  expect(readUsage({ topic: "turn.progress", data: { ...data, context_tokens: 30 } })?.usage.context).toBe(30);
  for (const other of [
    { phase: "tool_end" },
    { input_tokens: "40" },
    { output_tokens: "2" },
    { model: undefined },
    { task_id: 1 },
  ]) {
    expect(readUsage({ topic: "turn.progress", data: { ...data, ...other } })).toBeUndefined();
  }
  expect(readUsage({ topic: "turn.finished", data })).toBeUndefined();
});

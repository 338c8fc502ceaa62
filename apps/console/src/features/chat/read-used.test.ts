import { expect, test } from "vitest";
import { readUsed } from "./read-used.ts";

const data = {
  ...{ task_id: "t", session_id: "s", phase: "model_end", model: "m" },
  ...{ input_tokens: 40, output_tokens: 2, context_tokens: null },
};

test("the end of a model call says what its turn took, and other progress says nothing of it", () => {
  expect(readUsed({ topic: "turn.progress", data })).toEqual({
    taskId: "t",
    used: { model: "m", tokens: 42, context: undefined },
  });
  expect(readUsed({ topic: "turn.progress", data: { ...data, context_tokens: 30 } })?.used.context).toBe(30);
  for (const other of [{ phase: "tool_end" }, { input_tokens: "40" }, { model: undefined }, { task_id: 1 }]) {
    expect(readUsed({ topic: "turn.progress", data: { ...data, ...other } })).toBeUndefined();
  }
  expect(readUsed({ topic: "turn.finished", data })).toBeUndefined();
});

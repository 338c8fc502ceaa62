import { expect, test } from "vitest";
import { callsLabel, costSoFar, type JournalRow, type TimelineSource, taskTitle, uniqueTasks } from "./journal.ts";

test("a task's title is the first line of its message, without the heading of an inbox item", () => {
  const titles = ["\n Do this\nand that", " "].map((input) => taskTitle({ input, origin: "chat" }));
  expect(titles).toEqual(["Do this", "Run"]);
  const input = "[Inbox item 3, priority now, from monitor]\nDisk at 95 %.\nMore";
  expect([taskTitle({ input, origin: "inbox" }), taskTitle({ input, origin: "chat" })]).toEqual([
    "Disk at 95 %.",
    "[Inbox item 3, priority now, from monitor]",
  ]);
});

test("a task's calls are words, with those of tools only where there are some", () => {
  expect(callsLabel({ model_calls: 1, tool_calls: 0 })).toBe("1 model call");
  expect(callsLabel({ model_calls: 1200, tool_calls: 1 })).toBe("1,200 model calls, 1 tool call");
});

test("a task on two pages of a list is listed once, as on the first of them", () => {
  const rows = [
    ["a", "completed"],
    ["b", "working"],
    ["a", "working"],
  ].map(([task_id = "", state]) => ({ task_id, state }));
  expect(uniqueTasks(rows)).toEqual(rows.slice(0, 2));
});

test("a running task's cost is that of its calls and those below it, and unknown where a price is missing", () => {
  const usage = { input_tokens: 1, output_tokens: 1, cache_read_tokens: 0, cache_creation_tokens: 0 };
  const call = (cost_usd: number | null, reported = true) =>
    ({ kind: "model_finished", usage: reported ? usage : null, cost_usd }) as JournalRow;
  const source = (events: readonly JournalRow[], children: readonly TimelineSource[] = [], more = false) =>
    ({ task: {} as TimelineSource["task"], events, children, more }) satisfies TimelineSource;
  const below = source([call(0.25), call(null, false)]);
  expect(costSoFar(source([call(0.5)], [below]))).toBe(0.75);
  const unknown = [source([]), source([call(0.5), call(null)], [below]), source([call(0.5)], [], true)];
  expect(unknown.map(costSoFar)).toEqual([null, null, null]);
});

import { afterAll, afterEach, expect, test } from "vitest";
import { type ContextSettings, DEFAULT_CONTEXT_SETTINGS } from "../../context/index.ts";
import { callsOf, coreBench, countedTool, eventsOfKind } from "../../core-bench.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const context = (): ContextSettings => ({
  ...DEFAULT_CONTEXT_SETTINGS,
  pruning: { enabled: true, atFraction: 0.5, keepMessages: 3, minChars: 1_000 },
});

const read = (n: number) => [{ call: { name: "read", args: { n } } }];

test("older results are shortened in what the model is shown, not in what is stored (EN7), and the same way in later turns", async () => {
  let n = 0;
  const { tool } = countedTool("read", { effect: "pure", run: () => `${++n}:${"x".repeat(3_000)}` });
  const model = scriptedModel([read(1), read(2), read(3), read(4), "Done.", "Again."]);
  const core = await bench.start({
    model: { model, name: "scripted", windowTokens: 4_000 },
    tools: [tool],
    context,
  });
  const task = await core.tasks.start({ text: "read it", context: "c" });
  await task.settled();
  const shownAt = (call: number) => model.calls[call - 1]!.request.messages;
  const lengths = (call: number) =>
    shownAt(call).flatMap((message) => (message.role === "tool" ? [message.text.length] : []));
  expect(lengths(2)).toEqual([3_002]);
  expect(lengths(3)[0]).toBe(3_002);
  expect(lengths(5).map((length) => length < 1_000)).toEqual([true, true, false, false]);
  expect((await callsOf(core, task.id)).every((call) => String(call.result).length === 3_002)).toBe(true);
  const pruned = await eventsOfKind(core, task.id, "context.pruned");
  expect(pruned.reduce((sum, event) => sum + event.results, 0)).toBe(2);

  const next = await core.tasks.start({ text: "and now?", context: "c" });
  await next.settled();
  expect(shownAt(6).slice(0, shownAt(5).length)).toEqual(shownAt(5));
  expect(await eventsOfKind(core, next.id, "context.pruned")).toEqual([]);
});

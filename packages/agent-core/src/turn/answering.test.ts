import { afterAll, afterEach, expect, test } from "vitest";
import { answerText, coreBench, eventsOf } from "../core-bench.ts";
import { scriptedModel } from "../testing/scripted-model.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

test("a plain turn answers in two commits: task, message and intent; then outcome, answer and end", async () => {
  const labels: string[] = [];
  const hit = (name: string): void => void labels.push(name);
  const model = scriptedModel([[{ say: "Hello" }, { say: " there" }, { usage: { input: 7, output: 3 } }]]);
  const core = await bench.start({ model, failpoints: { hit }, persona: "You are brief." });
  const task = await core.tasks.start({ text: "Hi" });
  const view = await task.settled();
  expect(answerText(task)).toBe("Hello there");
  expect(view).toMatchObject({ state: "completed", usage: { input: 7, output: 3 }, steps: 1, seq: 5 });
  expect(labels).toEqual(["task.accept:before", "task.accept:after", "turn.close:before", "turn.close:after"]);
  expect((await eventsOf(core, task.id)).map(({ event }) => event.kind)).toEqual([
    "task.accepted",
    "model.started",
    "model.finished",
    "answer",
    "task.completed",
  ]);
  expect(model.calls[0]?.request).toMatchObject({
    system: "You are brief.",
    messages: [{ role: "user", content: [{ kind: "text", text: "Hi" }] }],
  });
});

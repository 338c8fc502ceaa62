import { afterAll, afterEach, expect, test } from "vitest";
import { answerText, coreBench, textInput } from "../core-bench.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { TaskError } from "./task-error.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const text = (request: { messages: readonly unknown[] }): string =>
  /"text":"([^"]*)"/.exec(JSON.stringify(request.messages.at(-1)))?.[1] ?? "";

test("turns of one context run one at a time in order of arrival, and each sees the ones before it (EN4, A9)", async () => {
  let running = 0;
  let most = 0;
  const order: string[] = [];
  const model = scriptedModel((request) => {
    most = Math.max(most, ++running);
    order.push(text(request));
    const until = new Promise<void>((resolve) =>
      setImmediate(() => {
        running--;
        resolve();
      }),
    );
    return [{ until }, { say: `answer ${text(request)}` }];
  });
  const core = await bench.start({ model });
  const tasks = await Promise.all(
    Array.from({ length: 12 }, (_, i) => core.tasks.start({ context: "c", text: `${i}` })),
  );
  expect(tasks.slice(1).every((task) => task.view.state === "queued")).toBe(true);
  await Promise.all(tasks.map((task) => task.settled()));
  expect([most, order]).toEqual([1, tasks.map((_, i) => `${i}`)]);
  expect(model.calls.map((call) => call.request.messages.length)).toEqual(tasks.map((_, i) => 2 * i + 1));
  const last = JSON.stringify(model.calls[11]?.request.messages);
  for (let i = 0; i < 11; i++) expect(last.indexOf(`answer ${i}"`)).toBeGreaterThan(last.indexOf(`"${i}"`));
});

test("turns of different contexts, or classes, run beside each other, as many as may (A16, S7)", async () => {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel(() => [{ until: gate.promise }, { say: "Done." }]);
  const core = await bench.start({ model, turns: { maxBegun: 3 } });
  const start = (of: string, context: string) =>
    core.service.start({ class: of, context, origin: "a2a", input: textInput("go") });
  const tasks = await Promise.all([
    start("operator", "a"),
    start("federation", "a"),
    start("operator", "b"),
    start("operator", "d"),
  ]);
  await model.untilCall(3);
  expect(core.load()).toEqual({ running: 3, waiting: 1 });
  expect(tasks.map((task) => task.view.state)).toEqual(["running", "running", "running", "queued"]);
  gate.resolve();
  for (const task of tasks) expect(await task.settled()).toMatchObject({ state: "completed" });
});

test("the 101st waiting turn of a context is refused and leaves nothing behind (A9)", async () => {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel((_, count) => (count === 1 ? [{ until: gate.promise }] : "Done."));
  const core = await bench.start({ model });
  const start = () => core.tasks.start({ context: "c", text: "go" });
  const tasks = await Promise.all(Array.from({ length: 101 }, start));
  await expect(start()).rejects.toBeInstanceOf(TaskError);
  await expect(start()).rejects.toMatchObject({ code: "overloaded", retryAfterSeconds: 10 });
  expect(await core.db.read({ sql: "SELECT count(*) FROM task", args: [] })).toEqual([[101]]);
  const elsewhere = await core.tasks.start({ context: "other", text: "go" });
  expect(await elsewhere.settled()).toMatchObject({ state: "completed" });
  gate.resolve();
  for (const task of tasks) expect(await task.settled()).toMatchObject({ state: "completed" });
  expect(answerText(tasks[100]!)).toBe("Done.");
});

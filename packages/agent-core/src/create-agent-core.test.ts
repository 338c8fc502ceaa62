import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench, countedTool, holdCommit } from "./core-bench.ts";
import { createAgentCore } from "./create-agent-core.ts";
import { DatabaseError } from "./database/index.ts";
import { scriptedModel } from "./testing/scripted-model.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

test("a task is followed from any event on, past and live, until it is settled", async () => {
  const core = await bench.start({
    model: scriptedModel([[{ call: { name: "count" } }], "Done."]),
    tools: [countedTool("count").tool],
  });
  const { id } = await core.tasks.start({ text: "go" });
  const all = await Array.fromAsync(core.tasks.follow(id));
  expect(all.map(({ seq }) => seq)).toEqual(all.map((_, i) => i + 1));
  expect(all.at(-1)?.event.kind).toBe("task.completed");
  expect(await Array.fromAsync(core.tasks.follow(id, { after: 3 }))).toEqual(all.slice(3));
  expect(await Array.fromAsync(core.tasks.follow(id, { after: 999 }))).toEqual([]);
  expect(await Array.fromAsync(core.tasks.follow("nobody"))).toEqual([]);
  expect(await core.tasks.get("nobody")).toBeUndefined();
});

test("a store has one owner: a second core's error names it (EN11)", async () => {
  const store = bench.newStore();
  const core = await bench.start({ store, model: scriptedModel(["Done."]), owner: "the first" });
  const second = createAgentCore({ store, model: { model: scriptedModel([]), name: "m" } });
  await expect(second).rejects.toBeInstanceOf(DatabaseError);
  await expect(second).rejects.toMatchObject({ code: "in_use", message: expect.stringContaining("the first") });
  const task = await core.tasks.start({ text: "go" });
  expect(await task.settled()).toMatchObject({ state: "completed" });
});

test("content the agent cannot take is refused before anything is stored (A12)", async () => {
  const core = await bench.start({ model: scriptedModel([]) });
  const zip = { kind: "file", mediaType: "application/zip", bytes: "UEs=" } as const;
  await expect(core.tasks.start({ parts: [zip] })).rejects.toMatchObject({ code: "unsupported_content" });
  expect(await core.db.read({ sql: "SELECT count(*) FROM task", args: [] })).toEqual([[0]]);
});

test("a message the store cannot take is not accepted, and its context stays free (EN9)", async () => {
  const held = holdCommit("task.accept:before");
  const core = await bench.start({ model: scriptedModel(() => "Done."), failpoints: held.failpoints });
  const refused = core.tasks.start({ context: "c", text: "go" });
  await held.reached;
  held.fail(new DatabaseError("full", "the disk is full"));
  await expect(refused).rejects.toMatchObject({ code: "full" });
  expect(core.load()).toEqual({ running: 0, waiting: 0 });
  const task = await core.tasks.start({ context: "c", text: "again" });
  expect(await task.settled()).toMatchObject({ state: "completed", history: [{}] });
});

test("commits are reported to the host in order, with the task's view", async () => {
  const commits: string[] = [];
  const core = await bench.start({
    model: scriptedModel(["Done."]),
    onCommit: (view, events) => commits.push(`${view.state} ${events.map(({ seq }) => seq).join()}`),
  });
  await (await core.tasks.start({ text: "go" })).settled();
  expect(commits).toEqual(["running 1,2", "completed 3,4,5"]);
});

test("the persona is read before each call, and comes first", async () => {
  let asked = 0;
  const model = scriptedModel(() => "Done.");
  const core = await bench.start({ model, persona: () => `Persona ${++asked}` });
  for (let i = 0; i < 2; i++) await (await core.tasks.start({ text: "go" })).settled();
  expect(model.calls.map((call) => call.request.system)).toEqual(["Persona 1", "Persona 2"]);
});

test("a thousand tasks at once all end, at most so many begun, with their own answers", async () => {
  let running = 0;
  let most = 0;
  const model = scriptedModel((request) => {
    most = Math.max(most, ++running);
    const until = new Promise<void>((resolve) => {
      setImmediate(() => {
        running--;
        resolve();
      });
    });
    return [{ until }, { say: `re: ${JSON.stringify(request.messages).match(/n\d+/)?.[0]}` }];
  });
  const core = await bench.start({ model, turns: { maxBegun: 64 } });
  const tasks = await Promise.all(Array.from({ length: 1_000 }, (_, i) => core.tasks.start({ text: `n${i}` })));
  const views = await Promise.all(tasks.map((task) => task.settled()));
  expect(most).toBeLessThanOrEqual(64);
  expect(views.map((view) => JSON.stringify(view.answer))).toEqual(
    views.map((_, i) => JSON.stringify([{ kind: "text", text: `re: n${i}` }])),
  );
  await core.service.runner.idle(5_000);
  expect(core.load()).toEqual({ running: 0, waiting: 0 });
});

test("events of a start bear the epoch of its lease, so the next start recognises an older cursor (O7)", async () => {
  const store = bench.newStore();
  const epochs: number[] = [];
  for (let i = 0; i < 2; i++) {
    const core = await bench.start({ store, model: scriptedModel([]) });
    epochs.push(Number.parseInt(core.bus.cursor, 10));
    await core.stop();
  }
  expect(epochs[1]).toBe(epochs[0]! + 1);
  const inMemory = await bench.start({ model: scriptedModel([]) });
  expect(Number.parseInt(inMemory.bus.cursor, 10)).toBeGreaterThan(1_000_000);
});

import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench } from "../core-bench.ts";
import { openDatabase } from "../database/index.ts";
import { listTasks, TaskError } from "../task/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { IssueBoard, IssueRuns, type IssueRunsOptions } from "./index.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

async function start(service?: (start: IssueRunsOptions["service"]["start"]) => IssueRunsOptions["service"]) {
  const core = await bench.start({ model: scriptedModel(() => [{ say: "Done." }]) });
  const db = await openDatabase({ url: ":memory:", schema: "board", owner: { name: "test" } });
  const store = { get: async () => db, close: () => db.close() };
  const board = new IssueBoard({ store, clock: manualClock(1_000), bus: { publish: () => {} } });
  let ids = 0;
  const real: IssueRunsOptions["service"]["start"] = (task) => core.service.start(task);
  const runs = new IssueRuns({
    ...{ board, db: core.db, newId: () => `id-${++ids}` },
    service: service?.(real) ?? { start: real },
  });
  const tasks = async () => (await listTasks(core, {}, { limit: 10 })).cursors.map(({ id }) => id);
  return { core, board, runs, tasks };
}

test("a turn that could not be accepted leaves the issue as it was, and keeps its name for the next try (IB4)", async () => {
  let isFull = true;
  const { board, runs, tasks } = await start((real) => ({
    start: (task) => (isFull ? Promise.reject(new TaskError("overloaded", "full", 1)) : real(task)),
  }));
  const { id } = await board.create({ title: "Water" });
  await board.update(id, { status: "deferred" });
  await expect(runs.start(id)).rejects.toMatchObject({ code: "overloaded" });
  expect(await board.get(id)).toMatchObject({ status: "deferred", run: { task: "id-1", isStarted: false } });
  expect(await runs.states([await board.get(id)])).toEqual(new Map());
  isFull = false;
  expect(await runs.start(id)).toMatchObject({ task: "id-1", started: true, issue: { status: "in_progress" } });
  expect(await tasks()).toEqual(["id-1"]);
});

test("a process that ended between naming a turn and noting its start does not start it twice (IB4)", async () => {
  const { core, board, runs, tasks } = await start();
  const { id } = await board.create({ title: "Water" });
  await board.claimRun(id, { task: "t-1", session: "s-1" });
  const begun = await core.service.start({
    ...{ id: "t-1", class: "operator", context: "s-1", origin: "board" },
    input: { messageId: "m", parts: [{ kind: "text", text: "Water" }] },
  });
  await begun.settled();
  expect(await runs.start(id)).toMatchObject({ task: "t-1", session: "s-1" });
  expect(await runs.start(id)).toMatchObject({ task: "t-1", started: false });
  expect(await tasks()).toEqual(["t-1"]);
  await board.close(id, undefined);
  await expect(runs.start((await board.create({ title: "x" })).id)).resolves.toMatchObject({ started: true });
});

test("an issue whose title reads like a command is asked of the model, and runs no command", async () => {
  const { core, board, runs } = await start();
  const { id } = await board.create({ title: "/help" });
  const { task } = await runs.start(id);
  const view = await (await core.tasks.get(task))!.settled();
  expect(view).toMatchObject({ state: "completed", answer: [{ kind: "text", text: "Done." }] });
});

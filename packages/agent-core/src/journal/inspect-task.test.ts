import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench, type StandardCore } from "../core-bench.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { inspectTask } from "./inspect-task.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

/** A task that ended, and what its rows are inspected with. */
async function ended() {
  const core = await bench.start({ model: scriptedModel(() => "Done.") });
  const task = await core.tasks.start({ context: "c", text: "?" });
  await task.settled();
  const inspect = (id = task.id) => inspectTask({ db: core.db, statements: core.journal.statements }, id);
  return { core, task, inspect };
}
const write = (core: StandardCore, sql: string, ...args: readonly (string | number)[]) =>
  core.db.commit({ label: "test", statements: [{ sql, args: [...args] }] });

test("a task is inspected as its rows have it, and one that is not stored is not there", async () => {
  const { task, inspect } = await ended();
  const found = await inspect();
  expect(found).toMatchObject({
    ...{ id: task.id, class: "operator", context: "c", state: "completed", seq: task.view.seq },
    ...{ view: task.view, malformed: [], complete: true },
  });
  expect(found?.createdAt).toBeLessThanOrEqual(found?.updatedAt ?? 0);
  expect(await inspect("none")).toBeUndefined();
});

test("an event that cannot be read is named without its content, and the others still count", async () => {
  const { core, task, inspect } = await ended();
  const { seq } = task.view;
  await write(core, "UPDATE event SET body = 'secret {' WHERE task = ? AND seq = 2", task.id);
  await write(core, "UPDATE event SET body = 'null' WHERE task = ? AND seq = 3", task.id);
  const found = await inspect();
  expect(found?.malformed).toEqual(["event 2: it is not JSON", "event 3: it has not the form of an event"]);
  expect(found?.view).toMatchObject({ state: "completed", seq });
});

test("of a task with very many events, the first ten thousand are looked at, and a hundred faults are named", async () => {
  const { core, task, inspect } = await ended();
  const more = (from: number, to: number) =>
    write(
      core,
      `INSERT INTO event (task, seq, at, kind, body)
       WITH RECURSIVE n(seq) AS (SELECT ? UNION ALL SELECT seq + 1 FROM n WHERE seq < ?)
       SELECT ?, seq, 0, 'text.delta', '{' FROM n`,
      from,
      to,
      task.id,
    );
  const { seq } = task.view;
  await more(seq + 1, seq + 300);
  const found = await inspect();
  expect([found?.malformed.length, found?.complete]).toEqual([100, true]);
  expect(found?.malformed[0]).toBe(`event ${seq + 1}: it is not JSON`);
  await more(seq + 301, seq + 10_300);
  expect((await inspect())?.complete).toBe(false);
});

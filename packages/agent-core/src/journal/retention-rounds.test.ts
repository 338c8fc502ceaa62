import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench } from "../core-bench.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { eachDue, moveRound, roundCursor } from "./retention-rounds.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const DAY = 86_400_000;

/** An engine, what ends a task at a time, and what a round visits. */
async function rounds() {
  const core = await bench.start({ model: scriptedModel(() => "Done.") });
  const { db } = core;
  const endAt = async (at: number): Promise<string> => {
    const task = await core.tasks.start({ text: "?" });
    await task.settled();
    const ended = { sql: "UPDATE task SET updated_at = ? WHERE id = ?", args: [at, task.id] };
    await db.commit({ label: "test", statements: [ended] });
    return task.id;
  };
  const visit = async (now: number, before = now): Promise<readonly string[]> => {
    const visited: string[] = [];
    await eachDue(db, "details", { now, before }, async (tasks) => {
      visited.push(...tasks.map(({ id }) => id));
      return [];
    });
    return visited;
  };
  return { db, endAt, visit };
}

test("a round visits each ended task once, in the order they ended, and only those that are due", async () => {
  const { db, endAt, visit } = await rounds();
  const late = await endAt(300);
  const early = await endAt(100);
  expect(await visit(1_000, 300)).toEqual([early]);
  expect(await roundCursor(db, "details")).toEqual({ at: 100, task: early });
  expect(await visit(1_000, 301)).toEqual([late]);
  expect(await visit(2_000)).toEqual([]);
  expect(await roundCursor(db, "deltas")).toBeUndefined();
});

test("after a clock that was ahead was set back, what ends from then on is visited by the next rounds", async () => {
  const { db, endAt, visit } = await rounds();
  await endAt(100);
  await db.commit({ label: "test", statements: [moveRound("details", { at: 400 * DAY, task: "z" })] });
  expect(await visit(1_000)).toEqual([]);
  expect(await roundCursor(db, "details")).toEqual({ at: 1_000, task: "" });
  const later = await endAt(1_500);
  expect(await visit(2_000)).toEqual([later]);
});

import fc from "fast-check";
import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench, textInput } from "../core-bench.ts";
import { type Database, openDatabase } from "../database/index.ts";
import { isTerminalState, type TaskState } from "../event/index.ts";
import { Journal } from "../journal/index.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { listTasks, type TaskCursor, type TaskFilter } from "./index.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const STATES: readonly TaskState[] = ["queued", "running", "parked", "completed", "failed", "canceled"];

interface Kept extends TaskCursor {
  readonly class: string;
  readonly context: string;
  readonly state: TaskState;
}

/** A store that holds these tasks and nothing else. */
async function fill(db: Database, tasks: readonly Kept[]): Promise<void> {
  const insert = "INSERT INTO task VALUES (?, ?, ?, 'a2a', ?, 1, 0, ?, '{}', NULL)";
  await db.commit({
    label: "test",
    statements: [
      { sql: "DELETE FROM task", args: [] },
      ...tasks.map((one) => ({ sql: insert, args: [one.id, one.class, one.context, one.state, one.time] })),
    ],
  });
}

function fits(task: Kept, { class: of, context, states, since = 0, until = 99 }: TaskFilter): boolean {
  return (
    (of === undefined || task.class === of) &&
    (context === undefined || task.context === context) &&
    (states === undefined || states.includes(task.state)) &&
    task.time >= since &&
    task.time < until
  );
}

test("pages of any size are together what a sort and a filter would give, whatever the look at rows is bound to", async () => {
  const db = await openDatabase({ url: ":memory:", owner: { name: "test" } });
  const journal = new Journal({ db, clock: { now: () => 0 } });
  const state = fc.constantFrom(...STATES);
  const tasks = fc.array(
    fc.record({
      time: fc.nat(5),
      class: fc.constantFrom("operator", "federation"),
      context: fc.constantFrom("a", "b"),
      state,
    }),
    { maxLength: 14 },
  );
  const filter = fc.record(
    {
      class: fc.constantFrom("operator", "federation"),
      context: fc.constantFrom("a", "b", "c"),
      states: fc.constantFrom<TaskFilter["states"] & object>(
        ["queued", "running"],
        ["parked"],
        ["completed"],
        ["failed"],
      ),
      since: fc.nat(6),
      until: fc.nat(6),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(
      tasks,
      filter,
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 20 }),
      async (made, wanted, limit, examined) => {
        const all: Kept[] = made.map((task, i) => ({
          ...task,
          id: `t${String.fromCharCode(97 + ((i * 7) % 26))}${i}`,
        }));
        await fill(db, all);
        const expected = all
          .filter((task) => fits(task, wanted))
          .sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1));
        const open = all.filter((task) => !isTerminalState(task.state)).length;
        const seen: string[] = [];
        let after: TaskCursor | undefined;
        for (let pages = 0; pages <= 2 * all.length + 1; pages++) {
          const page = await listTasks({ db, journal }, wanted, {
            limit,
            // Open tasks are few: the bound of the look at them is for a store gone wild.
            examined: Math.max(examined, open),
            ...(after && { after }),
          });
          expect(page.cursors.length).toBeLessThanOrEqual(limit);
          seen.push(...page.cursors.map(({ id }) => id));
          if (examined >= all.length && wanted.until === undefined) expect(page.total).toBe(expected.length);
          after = page.next;
          if (after === undefined) break;
        }
        expect(after).toBeUndefined();
        expect(seen).toEqual(expected.map(({ id }) => id));
      },
    ),
    { numRuns: 150 },
  );
  await db.close();
});

test("a task is ordered by the time of its last change of state, not of its last event", async () => {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel((request) =>
    JSON.stringify(request.messages).includes("slow")
      ? [{ say: "a" }, { until: gate.promise }, { say: "b" }]
      : [{ say: "Done." }],
  );
  const core = await bench.start({ model });
  const start = (of: string, text: string) => core.service.start({ class: of, origin: "a2a", input: textInput(text) });
  const slow = await start("operator", "slow");
  const done = await start("operator", "x");
  await done.settled();
  const other = await start("federation", "x");
  await other.settled();
  const list = async (filter: TaskFilter) => {
    const { cursors, total, next } = await listTasks(core, filter, { limit: 10 });
    expect([total, next]).toEqual([cursors.length, undefined]);
    return cursors;
  };
  const before = await list({});
  expect(new Set(before.map(({ id }) => id))).toEqual(new Set([slow.id, done.id, other.id]));
  for (const handle of [slow, done, other]) {
    expect(before.find(({ id }) => id === handle.id)?.time).toBe(handle.view.statusAt);
  }
  expect(await list({ states: ["queued", "running"] })).toEqual([{ id: slow.id, time: slow.view.statusAt }]);
  expect((await list({ class: "federation" })).map(({ id }) => id)).toEqual([other.id]);
  expect((await list({ context: done.view.context })).map(({ id }) => id)).toEqual([done.id]);
  gate.resolve();
  await slow.settled();
  const after = await list({ states: ["completed"], since: slow.view.statusAt });
  expect(after[0]).toEqual({ id: slow.id, time: slow.view.statusAt });
});

test("ended tasks are read by their own index, without a sort", async () => {
  const db = await openDatabase({ url: ":memory:", owner: { name: "test" } });
  const { statements } = new Journal({ db, clock: { now: () => 0 } });
  const named = {
    class: null,
    context: null,
    origin: null,
    state: null,
    orState: null,
    since: 0,
    time: 9,
    id: "x",
    limit: 5,
  };
  for (const statement of [statements.selectEndedPage, statements.countEnded, statements.selectEndedStop]) {
    const { sql, args } = statement.bind({ ...named, examined: 10, skip: 9 });
    const plan = (await db.read({ sql: `EXPLAIN QUERY PLAN ${sql}`, args })).map((row) => String(row[3])).join("\n");
    expect(plan).toContain("USING INDEX task_ended");
    // What comes out of the look at rows, a page at most, may be sorted again.
    expect(plan.split("SCAN examined")[0]).not.toContain("TEMP B-TREE");
  }
  await db.close();
});

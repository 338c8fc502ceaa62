import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../database/index.ts";
import { readTurnsUsing, type TurnCursor, type TurnFilter } from "./turns-using.ts";

const HOUR = 3_600_000;
const LIST = `INSERT INTO turn (task, seq, class, context, origin, state, success, model, models, input, output, cache_read, cache_write, duration_ms,
model_calls, tool_calls, tool_durations, context_tokens, created_at, ended_at)`;

interface Kept extends TurnCursor {
  readonly model: string;
  readonly tools: readonly string[];
  readonly state: string;
  readonly class: string;
  readonly origin: string;
}

let db: Database;
beforeAll(async () => {
  db = await openDatabase({ url: ":memory:", owner: { name: "test" }, schema: "observation" });
});
afterAll(() => db.close());

const totalOf = (model: string, hour: number) => ({
  sql: "INSERT OR IGNORE INTO turn_total VALUES (2, ?, ?, 1, 1, 0, 0, 0, 0, NULL, 0, 1, 0, 5, 0)",
  args: [hour, model],
});
const bucketOf = (tool: string, hour: number) => ({
  sql: "INSERT OR IGNORE INTO turn_bucket VALUES (2, ?, 'tool', ?, 5, 1)",
  args: [hour, tool],
});

/** A store with these turns alone, those that ended before the mark in the sums as far as this reader looks at them. */
async function fill(turns: readonly Kept[], mark: number): Promise<void> {
  const rows = turns.map(({ id, class: of, origin, state, model, tools, time }) => ({
    sql: `${LIST} VALUES (?, 1, ?, 'c', ?, ?, ?, ?, '[]', 0, 0, 0, 0, 5, 1, 0, ?, 0, 0, ?)`,
    args: [
      ...[id, of, origin, state, state === "input-required" ? null : Number(state === "completed"), model],
      ...[JSON.stringify(Object.fromEntries(tools.map((tool) => [tool, [1]]))), time],
    ],
  }));
  const sums = turns
    .filter(({ time, state }) => time < mark && state !== "input-required")
    .flatMap(({ model, tools, time }) => [
      totalOf(model, time - (time % HOUR)),
      ...tools.map((tool) => bucketOf(tool, time - (time % HOUR))),
    ]);
  const clear = ["DELETE FROM turn", "DELETE FROM turn_total", "DELETE FROM turn_bucket"].map((sql) => ({
    sql,
    args: [],
  }));
  const move = { sql: "UPDATE cursor SET at = ? WHERE reader = 'turn_total'", args: [mark] };
  await db.commit({ label: "test", statements: [...clear, ...rows, ...sums, move] });
}

function fits(
  turn: Kept,
  { model, tool, state, origin, class: of, since = 0, until = Number.POSITIVE_INFINITY }: TurnFilter,
) {
  return (
    (model === undefined || turn.model === model) &&
    (tool === undefined || turn.tools.includes(tool)) &&
    (state === undefined || turn.state === state) &&
    (of === undefined || turn.class === of) &&
    (origin === undefined ? turn.origin !== "auxiliary" : turn.origin === origin) &&
    turn.time >= since &&
    turn.time < until
  );
}

/** Every page, and how many there were. */
async function pagesOf(filter: TurnFilter, limit: number, examined?: number) {
  const pages: string[][] = [];
  let after: TurnCursor | undefined;
  do {
    const page = await readTurnsUsing(db, filter, {
      limit,
      ...(after && { after }),
      ...(examined !== undefined && { examined }),
    });
    expect(page.cursors.length).toBeLessThanOrEqual(limit);
    pages.push(page.cursors.map(({ id }) => id));
    after = page.next;
  } while (after !== undefined && pages.length < 100);
  return pages;
}

test("pages of any size are together what a sort and a filter would give, wherever the mark of the sums stands", async () => {
  const time = fc.integer({ min: 5 * HOUR, max: 20 * HOUR });
  const turn = fc.record({
    time: fc.oneof(time, fc.constantFrom(7 * HOUR, 9 * HOUR - 1)),
    model: fc.constantFrom("a", "b", ""),
    tools: fc.uniqueArray(fc.constantFrom("clock", 'a "quoted" tool', "constructor"), { maxLength: 3 }),
    state: fc.constantFrom("completed", "failed", "canceled", "input-required"),
    class: fc.constantFrom("operator", "federation"),
    origin: fc.constantFrom("a2a", "a2a", "chat", "auxiliary"),
  });
  const filter = fc.record(
    {
      model: fc.constantFrom("a", "b", "unheard-of"),
      tool: fc.constantFrom("clock", 'a "quoted" tool', "constructor"),
      state: fc.constantFrom("failed", "input-required"),
      class: fc.constant("operator"),
      origin: fc.constantFrom("chat", "auxiliary"),
      since: time,
      until: time,
    },
    { requiredKeys: [] },
  );
  const sizes = fc.record({ limit: fc.integer({ min: 1, max: 5 }), examined: fc.integer({ min: 1, max: 300 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { maxLength: 14 }), time, filter, sizes, async (made, mark, wanted, size) => {
      const all = made.map((one, i) => ({ ...one, id: `t${String.fromCharCode(97 + ((i * 7) % 26))}${i}` }));
      await fill(all, mark);
      const expected = all.filter((one) => fits(one, wanted)).sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1));
      expect((await pagesOf(wanted, size.limit, size.examined)).flat()).toEqual(expected.map(({ id }) => id));
    }),
    { numRuns: 150 },
  );
});

test("a page looks at 10,000 rows at most, and at none of an hour without such a turn", async () => {
  const many = (from: number, to: number) =>
    `WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`;
  const insert = (from: number, to: number, time: string) => ({
    sql: `${LIST} ${many(from, to)} SELECT printf('t%06d', i), 1, 'operator', 'c', 'a2a', 'completed', 1, 'usual', '[]', 0, 0, 0, 0, 5, 1, 0,
CASE WHEN i IN (1, 40000) THEN '{"rare":[1]}' ELSE '{}' END, 0, 0, ${time} FROM n`,
    args: [],
  });
  await fill([], 3_000 * HOUR);
  await db.commit({
    label: "test",
    statements: [
      insert(1, 1, `${HOUR}`),
      insert(2, 39_999, `${2_990 * HOUR} + i`),
      insert(40_000, 40_000, `${2_995 * HOUR}`),
      ...[1, 2_990, 2_995].map((hour) => totalOf("usual", hour * HOUR)),
      ...[1, 2_995].map((hour) => bucketOf("rare", hour * HOUR)),
    ],
  });
  // 2,990 hours between the two are more than a page looks at, and hold none.
  expect(await pagesOf({ tool: "rare" }, 50)).toEqual([["t040000"], ["t000001"]]);
  // No sum tells which turns failed, so all 40,000 are looked at.
  const failed = await pagesOf({ model: "usual", state: "failed" }, 50);
  expect(failed.flat()).toEqual([]);
  expect(failed.length).toBeGreaterThan(4);
  expect(new Set((await pagesOf({ model: "usual" }, 5_000)).flat()).size).toBe(40_000);
});

test("rows and sums are found by their indexes, without a sort of more than a page", async () => {
  const plans: string[] = [];
  const read: Database["read"] = async (statement, length) => {
    const plan = await db.read({ sql: `EXPLAIN QUERY PLAN ${statement.sql}`, args: statement.args });
    plans.push(plan.map((row) => String(row[3])).join("\n"));
    return db.read(statement, length);
  };
  await fill(
    [{ id: "t", time: 7 * HOUR, model: "a", tools: ["clock"], state: "completed", class: "operator", origin: "a2a" }],
    0,
  );
  await readTurnsUsing({ read } as Database, { model: "a", tool: "clock" }, { limit: 5 });
  expect(plans).toHaveLength(2);
  expect(plans[0]).toContain("SEARCH turn_bucket USING PRIMARY KEY");
  expect(plans[0]).toContain("SEARCH turn_total USING PRIMARY KEY");
  expect(plans[0]).not.toMatch(/SCAN turn_(bucket|total)/);
  expect(plans[1]).toContain("turn USING INDEX turn_ended");
});

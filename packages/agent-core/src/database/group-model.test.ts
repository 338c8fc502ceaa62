import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Command, Database, Statement, Value } from "./database-port.ts";
import { openDatabase } from "./open-database.ts";

/*
 * Random groups of commands against a model in memory: a map of numbered counters. The model applies a command whole
 * or not at all, in order (DB1, DB2, DB4); the store must agree on every result and on what is there at the end.
 */

type Step = { readonly kind: "insert" | "add" | "remove"; readonly id: number };
interface Change {
  /** A counter that must have this value; it is raised by one. */
  readonly expects?: { readonly id: number; readonly value: number };
  readonly steps: readonly Step[];
}

const statement = (sql: string, ...args: Value[]): Statement => ({ sql, args });

function asCommand({ expects, steps }: Change): Command {
  const statements = steps.map(({ kind, id }) => {
    if (kind === "insert") return statement("INSERT INTO counter (id, value) VALUES (?, 0)", id);
    if (kind === "add") return statement("UPDATE counter SET value = value + 10 WHERE id = ?", id);
    return statement("DELETE FROM counter WHERE id = ?", id);
  });
  if (expects === undefined) return { label: "model", statements };
  const { id, value } = expects;
  return {
    label: "model",
    expect: statement("UPDATE counter SET value = value + 1 WHERE id = ? AND value = ?", id, value),
    statements,
  };
}

/** @returns the command's fate; changes `counters` only when it is "ok" */
function applyToModel(counters: Map<number, number>, { expects, steps }: Change): string {
  const draft = new Map(counters);
  if (expects !== undefined) {
    if (draft.get(expects.id) !== expects.value) return "expectation_failed";
    draft.set(expects.id, expects.value + 1);
  }
  for (const { kind, id } of steps) {
    const value = draft.get(id);
    if (kind === "insert") {
      if (value !== undefined) return "constraint";
      draft.set(id, 0);
    } else if (kind === "remove") draft.delete(id);
    else if (value !== undefined) draft.set(id, value + 10);
  }
  counters.clear();
  for (const [id, value] of draft) counters.set(id, value);
  return "ok";
}

const id = fc.integer({ min: 0, max: 5 });
const step: fc.Arbitrary<Step> = fc.record({ kind: fc.constantFrom("insert", "add", "remove"), id });
const change: fc.Arbitrary<Change> = fc.record(
  { expects: fc.record({ id, value: fc.constantFrom(0, 1, 10, 11) }), steps: fc.array(step, { maxLength: 4 }) },
  { requiredKeys: ["steps"] },
);

let database: Database;
beforeAll(async () => {
  database = await openDatabase({ url: ":memory:", owner: { name: "model" } });
  await database.commit({
    label: "table",
    statements: [statement("CREATE TABLE counter (id INTEGER PRIMARY KEY, value INTEGER)")],
  });
});
afterAll(() => database.close());

test("whatever arrives together, each command is applied whole or not at all, in order, and fails alone", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(change, { minLength: 1, maxLength: 12 }), { maxLength: 6 }), async (groups) => {
      await database.commit({ label: "empty", statements: [statement("DELETE FROM counter")] });
      const counters = new Map<number, number>();
      for (const group of groups) {
        const expected = group.map((it) => applyToModel(counters, it));
        const results = await Promise.allSettled(group.map((it) => database.commit(asCommand(it))));
        expect(results.map((it) => (it.status === "fulfilled" ? "ok" : it.reason.code))).toEqual(expected);
      }
      const rows = await database.read(statement("SELECT id, value FROM counter ORDER BY id"));
      expect(rows).toEqual([...counters].sort(([a], [b]) => a - b));
    }),
    { numRuns: 300 },
  );
});

import { readFileSync } from "node:fs";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { afterAll, expect, test } from "vitest";
import { generatedModule } from "../../schema/generate.ts";
import * as tables from "../../schema/tables.ts";
import { namedStatement, openDatabase } from "../database/index.ts";
import { QUERIES } from "./queries.generated.ts";
import { createStatements } from "./statements.ts";

const db = await openDatabase({ url: ":memory:", owner: { name: "test" } });
afterAll(() => db.close());

const all = Object.values(tables).map((table) => getTableConfig(table as SQLiteTable));

test("the generated queries are what schema/queries.ts makes (run `pnpm generate` when this fails)", () => {
  const generated = readFileSync(new URL("queries.generated.ts", import.meta.url), "utf8");
  const withoutFormat = (text: string): string => text.replaceAll(/\s+/g, " ").replaceAll(/,\s*([}\]])/g, "$1");
  expect(withoutFormat(generated)).toBe(withoutFormat(generatedModule()));
});

test.each(all.map((config) => [config.name, config] as const))(
  "table %s is as the migrations make it",
  async (name, config) => {
    const rows = await db.read({ sql: `PRAGMA table_info(${name})`, args: [] });
    const migrated = rows.map(([, column, type, notNull]) => ({
      column,
      type: String(type).toLowerCase(),
      notNull: notNull === 1,
    }));
    const keys = rows.filter((row) => Number(row[5]) > 0).map((row) => row[1]);
    const declared = config.columns.map((column) => ({
      column: column.name,
      type: column.getSQLType(),
      // A rowid needs no NOT NULL.
      notNull: column.notNull && !(column.primary && column.getSQLType() === "integer"),
    }));
    expect(migrated).toEqual(declared);
    const composite = config.primaryKeys.flatMap((key) => key.columns.map((column) => column.name));
    const single = config.columns.filter((column) => column.primary).map((column) => column.name);
    expect(new Set(keys)).toEqual(new Set([...composite, ...single]));
  },
);

test("every query is accepted by the migrated store", async () => {
  const { insertEvents, ...others } = QUERIES;
  for (const text of [...insertEvents, ...Object.values(others)]) {
    const names = [...new Set([...text.matchAll(/:(\w+)/g)].map((match) => match[1]!))];
    const explained = namedStatement(`EXPLAIN ${text}`).bind(Object.fromEntries(names.map((name) => [name, 1])));
    await expect(db.read(explained), text).resolves.toBeDefined();
  }
});

test("no query scans a table that grows, or through all of a class", async () => {
  const { insertEvents: _, ...queries } = QUERIES;
  for (const [name, text] of Object.entries(queries)) {
    const names = [...new Set([...text.matchAll(/:(\w+)/g)].map((match) => match[1]!))];
    const plan = namedStatement(`EXPLAIN QUERY PLAN ${text}`).bind(Object.fromEntries(names.map((key) => [key, 1])));
    const steps = (await db.read(plan)).map((row) => String(row[3]));
    const slow = /^SCAN (?:task|event|message|call|prompt)\b|\(class=\?\)$/;
    expect(
      steps.filter((step) => slow.test(step)),
      name,
    ).toEqual([]);
  }
});

test("no task is held against a list of states, for which SQLite would build a table each time", async () => {
  for (const text of [QUERIES.insertTask, QUERIES.advanceTask]) {
    const names = [...new Set([...text.matchAll(/:(\w+)/g)].map((match) => match[1]!))];
    const steps = await db.read(
      namedStatement(`EXPLAIN ${text}`).bind(Object.fromEntries(names.map((key) => [key, 1]))),
    );
    expect(steps.map((row) => row[1])).not.toContain("OpenEphemeral");
  }
});

test("events go out eight to an insert, in order", () => {
  const rows = Array.from({ length: 19 }, (_, i) => ({ seq: i + 1, at: 1, kind: "k", body: "{}" }));
  const inserts = createStatements().insertEvents("t", rows);
  expect(inserts).toHaveLength(3);
  expect(inserts.map(({ args }) => args.filter((arg) => typeof arg === "number" && arg !== 1))).toEqual([
    [2, 3, 4, 5, 6, 7, 8],
    [9, 10, 11, 12, 13, 14, 15, 16],
    [17, 18, 19],
  ]);
});

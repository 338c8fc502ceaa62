import { and, eq, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { buildStatement, namedStatement, queryBuilder } from "./statement-builder.ts";

test("names become placeholders, quoted pieces and comments stay", () => {
  const statement = namedStatement("UPDATE t SET a = :a, b = ':no' /* :no */ WHERE a <> :a AND c = :c -- :no");
  expect(statement.sql).toBe("UPDATE t SET a = ?, b = ':no' /* :no */ WHERE a <> ? AND c = ? -- :no");
  expect(statement.bind({ a: 1, c: null })).toEqual({ sql: statement.sql, args: [1, 1, null] });
});

test("a drizzle query is built once and bound by position, with constants and column encoders", () => {
  const table = sqliteTable("t", {
    id: text().primaryKey(),
    done: integer({ mode: "boolean" }).notNull(),
    state: text().notNull(),
    at: integer({ mode: "timestamp_ms" }),
  });
  const p = sql.placeholder;
  const qb = queryBuilder();
  const insert = buildStatement(qb.insert(table).values({ id: p("id"), done: p("done"), state: "new", at: p("at") }));
  expect(insert.sql).toBe('insert into "t" ("id", "done", "state", "at") values (?, ?, ?, ?)');
  expect(insert.bind({ id: "a", done: true as never, at: null }).args).toEqual(["a", 1, "new", null]);
  const update = buildStatement(
    qb
      .update(table)
      .set({ state: sql`${p("to")}` })
      .where(and(eq(table.id, p("id")), eq(table.state, "new"))),
  );
  expect(update.bind({ to: "old", id: "a" }).args).toEqual(["old", "a", "new"]);
  expect(buildStatement(qb.delete(table).where(eq(table.id, p("id")))).bind({ id: "x" }).args).toEqual(["x"]);
  expect(buildStatement(qb.select({ id: table.id }).from(table).limit(p("n"))).bind({ n: 3 }).args).toEqual([3]);
});

test("a value that is left out stays visible to the check before the store", () => {
  expect(namedStatement("SELECT :a").bind({}).args).toEqual([undefined]);
});

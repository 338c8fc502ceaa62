import { expect, test } from "vitest";
import { namedStatement } from "./named-statement.ts";

test("names become placeholders, quoted pieces and comments stay", () => {
  const statement = namedStatement("UPDATE t SET a = :a, b = ':no' /* :no */ WHERE a <> :a AND c = :c -- :no");
  expect(statement.sql).toBe("UPDATE t SET a = ?, b = ':no' /* :no */ WHERE a <> ? AND c = ? -- :no");
  expect(statement.bind({ a: 1, c: null })).toEqual({ sql: statement.sql, args: [1, 1, null] });
});

test("a value that is left out stays visible to the check before the store", () => {
  expect(namedStatement("SELECT :a").bind({}).args).toEqual([undefined]);
});

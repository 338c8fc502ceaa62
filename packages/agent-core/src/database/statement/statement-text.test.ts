import { expect, test } from "vitest";
import { readStatementText } from "./statement-text.ts";

const refusal = (sql: string): string => {
  try {
    readStatementText(sql);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`not refused: ${sql}`);
};

test("placeholders are counted outside of quotes and comments", () => {
  expect(readStatementText("SELECT ?, '?', \"?\", '''?', [?] -- ?\n, ? /* ? */").parameters).toBe(2);
  expect(readStatementText("INSERT INTO t VALUES (?, ?, ?)").parameters).toBe(3);
  const quoted = ["'a''?'", '"a""?"', "`?`", "`a ?`", "`a``?`", "``", "''", '""', "[]", "/* '? */", "/**/", "-- '?\n"];
  for (const piece of quoted) expect(readStatementText(`SELECT ${piece}, ?`).parameters, piece).toBe(1);
  expect(readStatementText("SELECT ? /* ? ?").parameters).toBe(1);
  expect(readStatementText("SELECT ? -- ? ?").parameters).toBe(1);
});

test("statements that write are distinguished from those that read", () => {
  for (const sql of ["INSERT INTO t VALUES (1)", " update t set a = 1", "DELETE FROM t", "REPLACE INTO t VALUES (1)"]) {
    expect(readStatementText(sql).writes, sql).toBe(true);
  }
  expect(readStatementText("WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x").writes).toBe(true);
  expect(readStatementText("WITH x AS (SELECT replace('a', 'b', 'c')) SELECT * FROM x").writes).toBe(false);
  for (const sql of ["SELECT 1", "VALUES (1)", "PRAGMA integrity_check", "EXPLAIN SELECT 1"]) {
    expect(readStatementText(sql).writes, sql).toBe(false);
  }
});

test("a text that could end the group's transaction, or hides a second statement, is refused", () => {
  for (const sql of ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT a", "ATTACH 'x' AS y", "VACUUM", ""]) {
    expect(refusal(sql)).toContain("must not begin with");
  }
  expect(refusal("DELETE FROM t; DELETE FROM u")).toContain("more than one statement");
  for (const sql of ["DELETE FROM t;DELETE FROM u", "SELECT 1;;", "SELECT 1;\n\nSELECT 2"]) {
    expect(refusal(sql), sql).toContain("more than one statement");
  }
  expect(readStatementText("DELETE FROM t ; -- done").writes).toBe(true);
  expect(refusal("SELECT ?1")).toContain("only ? is bound");
  expect(refusal("SELECT :name")).toContain("only ? is bound");
});

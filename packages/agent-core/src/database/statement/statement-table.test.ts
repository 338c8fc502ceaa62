import { expect, test } from "vitest";
import { StatementTable } from "./statement-table.ts";

test("a text keeps its number within a generation, and a copy gets those it lacks (TU1)", () => {
  const table = new StatementTable();
  expect(["SELECT 1", "SELECT 2", "SELECT 1"].map((sql) => table.number(sql).id)).toEqual([0, 1, 0]);
  expect(table.since(0, 1)).toEqual({ generation: 0, added: ["SELECT 2"] });
  expect(table.since(0, 2)).toEqual({ generation: 0, added: [] });
});

test("a table of more texts than its limit is emptied when it is trimmed, and not before (TU2)", () => {
  const table = new StatementTable(2);
  for (const sql of ["SELECT 1", "SELECT 2"]) table.number(sql);
  table.trim();
  expect([table.size, table.generation]).toEqual([2, 0]);
  table.number("SELECT 3");
  expect(table.size).toBe(3);
  table.trim();
  expect([table.size, table.generation]).toEqual([0, 1]);
  expect(table.number("SELECT 3").id).toBe(0);
  expect(table.since(0, 3)).toEqual({ generation: 1, added: ["SELECT 3"] });
});

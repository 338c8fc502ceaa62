import { expect, test } from "vitest";
import { csvOf, numericColumns, orderOf } from "./table-data.ts";

test("rows are ordered by number where a column holds numbers, else as words, empty cells last", () => {
  const rows = [
    ["$230", "b 10"],
    ["$1,200.50", "b 9"],
    ["", "a"],
    ["-3", ""],
  ];
  expect(orderOf(rows, undefined)).toEqual([0, 1, 2, 3]);
  expect(orderOf(rows, { column: 0, descending: false })).toEqual([3, 0, 1, 2]);
  expect(orderOf(rows, { column: 0, descending: true })).toEqual([1, 0, 3, 2]);
  expect(orderOf(rows, { column: 1, descending: false })).toEqual([2, 1, 0, 3]);
});

test("a table is CSV that a spreadsheet reads as text and numbers, not as formulas", () => {
  expect(
    csvOf([
      ["a", 'say "x", y'],
      ["=1+1", "-5"],
      ["+2+cmd|' /C x'!A0", "-1,200.50"],
    ]),
  ).toBe('a,"say ""x"", y"\r\n\'=1+1,-5\r\n\'+2+cmd|\' /C x\'!A0,"-1,200.50"\r\n');
});

test("columns of numbers are told from those of words", () => {
  expect(
    numericColumns([
      ["a", "b", "c"],
      ["$1", "x", ""],
      ["", "2", "18 GB"],
    ]),
  ).toEqual([true, false, true]);
  expect(numericColumns([["a"]])).toEqual([false]);
});

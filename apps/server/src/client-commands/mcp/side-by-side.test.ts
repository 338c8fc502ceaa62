import { expect, test } from "vitest";
import { sideBySide } from "./side-by-side.ts";

test("what is equal at both ends stands level, and what differs has a mark", () => {
  const shown = sideBySide(["BEFORE", "one\ntwo\nlast"], ["AFTER", "one\n2\n2b\nlast"], 43);
  expect(shown.split("\n")).toEqual([
    "BEFORE                 AFTER",
    `${"-".repeat(20)}   ${"-".repeat(20)}`,
    "one                    one",
    "two                  | 2",
    "                     | 2b",
    "last                   last",
    "",
  ]);
});

test("long lines go on below, and nothing moves the cursor", () => {
  const shown = sideBySide(["A", "x".repeat(25)], ["B", "y\u001b[2J"], 10).split("\n");
  expect(shown.slice(2)).toEqual([`${"x".repeat(20)} | y\ufffd[2J`, `${"x".repeat(5).padEnd(20)} |`, ""]);
});

import { expect, test } from "vitest";
import { patternOf } from "./text-pattern.ts";

const found = (text: string, wanted: string) => text.match(patternOf(wanted) ?? /(?!)/g);

test("characters with a meaning in patterns are found as they are written", () => {
  for (const wanted of [
    "well-known",
    "-",
    "a/b (c)",
    "[d]",
    "$5.00",
    "\\",
    "{y}",
    "a|b",
    "x^2",
    "a?b+c",
    "*",
    "#",
    "&",
  ]) {
    expect(found(`before ${wanted} after`, wanted)).toEqual([wanted]);
  }
  expect(found("abc", ".")).toBeNull();
});

test("an accent is found in both ways in which it is written, and makes another letter", () => {
  const [composed, decomposed] = ["caf\u00e9", "cafe\u0301"];
  for (const wanted of [composed, decomposed]) {
    expect(found(`${composed} ${decomposed} cafe`, wanted)).toEqual([composed, decomposed]);
  }
  expect(found(`${composed} ${decomposed} CAFE`, "cafe")).toEqual(["CAFE"]);
});

test("emoji are found, and parts of them, and any spaces stand for each other", () => {
  expect(found("a \u{1f600} b", "\u{1f600}")).toEqual(["\u{1f600}"]);
  expect(found("one\n two", "one two")).toEqual(["one\n two"]);
  expect(patternOf("  ")).toBeUndefined();
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTextMatcher } from "./text-matcher.ts";

/** Which characters belong to an occurrence, the slow way. */
function covered(needles: readonly string[], text: string): boolean[] {
  const marks = Array.from({ length: text.length }, () => false);
  for (const needle of needles) {
    for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1))
      marks.fill(true, at, at + needle.length);
  }
  return marks;
}

describe("createTextMatcher", () => {
  it("finds nothing when it looks for nothing", () => {
    expect(createTextMatcher([]).find("anything")).toEqual([]);
  });

  it("joins occurrences that overlap or touch", () => {
    const matcher = createTextMatcher(["abcdef", "defghi"]);
    expect(matcher.find("..abcdefghi..abcdefabcdef")).toEqual([
      { start: 2, end: 11 },
      { start: 13, end: 25 },
    ]);
  });

  it("finds exactly what indexOf finds, for every set of texts", () => {
    const few = fc.constantFrom("a", "b", "é");
    const needles = fc.array(fc.string({ unit: few, minLength: 6, maxLength: 9 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(needles, fc.string({ unit: few, maxLength: 120 }), (wanted, text) => {
        const marks = Array.from({ length: text.length }, () => false);
        for (const { start, end } of createTextMatcher(wanted).find(text)) marks.fill(true, start, end);
        expect(marks).toEqual(covered(wanted, text));
      }),
      { numRuns: 500 },
    );
  });
});

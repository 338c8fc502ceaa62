import fc from "fast-check";
import { expect, test } from "vitest";
import { codePoint, webUrl } from "./text.ts";

test("the first and last code points and those around the surrogates are drawn and shrunk, and no surrogate is", () => {
  for (const text of ["\0", "a", "\ud7ff", "\ue000", "\u{1f642}", "\u{10ffff}"]) {
    expect(codePoint.canShrinkWithoutContext(text)).toBe(true);
  }
  for (const text of ["", "ab", "\ud800", "\udfff", 1]) expect(codePoint.canShrinkWithoutContext(text)).toBe(false);
  fc.assert(fc.property(codePoint, (text) => text.isWellFormed() && [...text].length === 1));
  const astral = fc.check(fc.property(fc.string({ unit: codePoint }), (text) => !/[\u{10000}-\u{10ffff}]/u.test(text)));
  expect(astral.counterexample).toEqual(["\u{10000}"]);
});

test("names that objects have of their own are among the texts", () => {
  const texts = fc.sample(fc.string({ unit: codePoint }), { numRuns: 3_000, seed: 1 });
  expect(texts.some((text) => /^(__proto__|constructor|toString|valueOf)$/.test(text))).toBe(true);
});

test("every address of the web is one", () => {
  fc.assert(fc.property(webUrl, (text) => URL.canParse(text)));
});

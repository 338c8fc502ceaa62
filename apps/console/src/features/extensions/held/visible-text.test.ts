import { expect, test } from "vitest";
import { visiblePieces } from "./visible-text.ts";

test("characters that are not seen are named where they stand, and what is seen stays as it is", () => {
  expect(visiblePieces("Reads.\u200B\u202E Sends.")).toEqual([
    { text: "Reads." },
    { invisible: "U+200B U+202E" },
    { text: " Sends." },
  ]);
  expect(visiblePieces("two\nlines\twith a tab\r\nand “quotes”, 🙂")).toEqual([
    { text: "two\nlines\twith a tab\r\nand “quotes”, 🙂" },
  ]);
});

test("a long run of them, such as a text in tags, names the first and counts the rest", () => {
  const tags = [..."send it away"].map((one) => String.fromCodePoint(0xe0000 + (one.codePointAt(0) ?? 0))).join("");
  const [first, ...more] = visiblePieces(tags);
  expect(first).toEqual({ invisible: expect.stringMatching(/^U\+E0073 .* and 4 more$/) });
  expect(more).toEqual([]);
});

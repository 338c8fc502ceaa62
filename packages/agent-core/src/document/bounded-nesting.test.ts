import fc from "fast-check";
import { parseHTML } from "linkedom";
import { expect, it } from "vitest";
import { boundedNesting } from "./bounded-nesting.ts";
import { htmlToMarkdown } from "./html-to-markdown.ts";

/** The most elements inside each other, by the parser's own tree. */
function depthOf(html: string): number {
  const { document } = parseHTML(`<html><body>${html}</body></html>`);
  let deepest = 0;
  for (const element of document.querySelectorAll("*")) {
    let depth = 0;
    for (let at: Element | null = element; at !== null; at = at.parentElement) depth++;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

it("leaves a page as it is that is not deep, whatever its tags are", () => {
  const tag = fc.constantFrom(
    ...[
      "<div>",
      "</div>",
      "<p>",
      "<li>",
      "<ul>",
      "</ul>",
      "<td>",
      "<tr>",
      "<b>",
      "</b>",
      "<script>",
      "</script>",
      "text",
    ],
    ...[
      "<!-- <div> -->",
      '<a title="<div>">',
      "<br>",
      "</p>",
      "<title>",
      "</title>",
      "<dd>",
      "<",
      "<div",
      "</",
      "&amp;",
    ],
  );
  fc.assert(
    fc.property(fc.array(tag, { maxLength: 30 }), (tags) => {
      expect(boundedNesting(tags.join(""))).toBe(tags.join(""));
    }),
  );
  const long = "<ul>".concat("<li>one ".repeat(3_000), "</ul>", "<table>", "<tr><td>x".repeat(3_000));
  expect(boundedNesting(long)).toBe(long);
});

it("leaves no page deeper than the readers can take, and keeps its text", () => {
  const tag = fc.constantFrom(
    "<div>",
    "<b>",
    "<ul><li>",
    "<li><dd>",
    "<table><tr><td>",
    "<div><p>a</p><script>b<i></script>",
  );
  fc.assert(
    fc.property(tag, tag, fc.constantFrom("", "</b>", "</div>", "</ul>"), (one, other, end) => {
      const page = `<h1>Head</h1>${`${one}x${other}y${end}`.repeat(300)}<p>end</p>`;
      const bounded = boundedNesting(page);
      expect(depthOf(bounded)).toBeLessThan(270);
      const words = (html: string) => parseHTML(`<html><body>${html}</body></html>`).document.body.textContent;
      expect(words(bounded)?.replaceAll(/\s/g, "")).toBe(words(page)?.replaceAll(/\s/g, ""));
    }),
    { numRuns: 12 },
  );
});

it.each([
  ["divisions", "<div>".repeat(100_000), "</div>".repeat(100_000)],
  ["bold text that does not end", "<b>".repeat(100_000), ""],
  ["lists in lists", "<ul><li>".repeat(2_000), ""],
  ["paragraphs and scripts", "<div><p>a</p><script>x</script>".repeat(2_000), ""],
])("reads a page of %s inside each other", (_what, open, close) => {
  expect(htmlToMarkdown(`<p>before</p>${open}deep text${close}<p>after</p>`, "http://x/").text).toContain("deep text");
});

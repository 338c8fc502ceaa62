import { expect, it } from "vitest";
import { htmlToMarkdown } from "./html-to-markdown.ts";

const read = (body: string) => htmlToMarkdown(`<html><body>${body}</body></html>`, "https://example.org/").text;

it("numbers the items of lists: from their start, those of lists in lists, and each of many with its own number", () => {
  expect(read("<ol start='3'><li>a</li><li><p>b</p><ol><li>c<li>d</ol></li></ol><ul><li>e</ul>")).toBe(
    ["3.  a", "4.  b", "    ", "    1.  c", "    2.  d", "", "-   e"].join("\n"),
  );
  const many = read(`<ol>${"<li>item</li>".repeat(400)}</ol>`).split("\n");
  expect([many.length, many[0], many[399]]).toEqual([400, "1.  item", "400.  item"]);
});

import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Said } from "./said.tsx";

test("the paragraphs of what is said stay apart, and blank is nothing", () => {
  expect(renderToStaticMarkup(<Said text={"one\n\ntwo"} />)).toMatch(
    /^<p class="[^"]*whitespace-pre-line[^"]*">one\n\ntwo<\/p>$/,
  );
  expect(renderToStaticMarkup(<Said text="" />)).toBe("");
});

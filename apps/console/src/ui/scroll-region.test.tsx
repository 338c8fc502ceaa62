import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ScrollRegion } from "./scroll-region.tsx";

test("a scrolling region takes the focus and has a label, without being a landmark", () => {
  expect(renderToStaticMarkup(<ScrollRegion label="Rows" className="overflow-auto" />)).toBe(
    '<div class="overflow-auto" role="group" aria-label="Rows" tabindex="0"></div>',
  );
});

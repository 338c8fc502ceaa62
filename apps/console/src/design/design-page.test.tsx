import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { DesignPage } from "./design-page.tsx";

test("the page shows every kind of button and every state with its label", () => {
  const shown = renderToStaticMarkup(<DesignPage />);
  for (const label of ["Waiting for you", "Completed", "Failed", "Canceled", "Queued", "Working"]) {
    expect(shown).toContain(label);
  }
  expect(shown.match(/Approve<\/button>/g)).toHaveLength(6);
});

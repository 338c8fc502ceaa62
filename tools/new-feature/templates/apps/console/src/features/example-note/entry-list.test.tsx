import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { EntryList } from "./entry-list.tsx";

test("entries are shown in their order, with text that is never markup", () => {
  const entry = (id: number, text: string) => ({ id, text, created_at: "2026-01-01T00:00:00.000Z" });
  const page = renderToStaticMarkup(<EntryList entries={[entry(2, "<b>two</b>"), entry(1, "one")]} />);
  expect(page).toMatch(/&lt;b&gt;two&lt;\/b&gt;.*one/s);
});

import { expect, test } from "vitest";
import { shownTitle } from "./shown-title.ts";

test("a chat that an inbox item began is named by the item's words, without the heading that the engine adds", () => {
  const title = "[Inbox item 3, priority now, from monitor] Disk at 95 %.";
  expect(shownTitle({ title, incognito: false })).toBe("Disk at 95 %.");
  expect(shownTitle({ title: "", incognito: false })).toBe("Untitled");
  expect(shownTitle({ title: "", incognito: true })).toBe("Incognito chat");
});

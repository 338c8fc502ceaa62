import { expect, test } from "vitest";
import { isConversation } from "./use-event-notices.ts";

test.each([
  ["/app/chat/a%20b", true],
  ["/agents/one/app/chat/a%20b", true],
  ["/app/chat/a", false],
  ["/app/chat", false],
  ["/app/approvals", false],
])("the conversation that waits is open at %s: %s", (path, open) => {
  expect(isConversation(path, "a b")).toBe(open);
});

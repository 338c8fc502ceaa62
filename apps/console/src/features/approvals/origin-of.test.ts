import { expect, test } from "vitest";
import { originOf } from "./origin-of.ts";

test("the origin of a prompt is listed from the surface down", () => {
  const parents = [
    { task_id: "b", session_id: "s", origin: "background" },
    { task_id: "a", session_id: "s", origin: "a2a" },
  ];
  expect(originOf({ origin: "subagent", parents, class: "operator" })).toBe("Chat → Background job → Subagent");
  expect(originOf({ origin: "a2a", parents: [], class: "federation" })).toBe("Another agent's, by A2A");
});

import { expect, test } from "vitest";
import { fromLabel, originLabel } from "./origin-label.ts";

test("a chat of the console is called one, although it comes over A2A; another agent's task is not", () => {
  expect(originLabel("a2a", "operator")).toBe("Chat");
  expect(originLabel("a2a", "federation")).toBe("A2A");
  expect(originLabel("background")).toBe("Background job");
  expect(originLabel("unheard of")).toBe("unheard of");
});

test("the check of a goal is called one, other calls for the service itself are by their role", () => {
  const auxiliary = { origin: "auxiliary", class: "operator" };
  expect(fromLabel({ ...auxiliary, role: "verify" })).toBe("Goal check");
  expect(fromLabel({ ...auxiliary, role: "judge" })).toBe("Goal check");
  expect(fromLabel({ ...auxiliary, role: null })).toBe("Chat title");
  expect(fromLabel({ origin: "subagent", class: "operator", role: "researcher" })).toBe("Subagent researcher");
});

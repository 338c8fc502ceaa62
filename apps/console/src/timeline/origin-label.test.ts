import { expect, test } from "vitest";
import { originLabel } from "./origin-label.ts";

test("a chat of the console is called one, although it comes over A2A; another agent's task is not", () => {
  expect(originLabel("a2a", "operator")).toBe("Chat");
  expect(originLabel("a2a", "federation")).toBe("A2A");
  expect(originLabel("background")).toBe("Background job");
  expect(originLabel("unheard of")).toBe("unheard of");
});

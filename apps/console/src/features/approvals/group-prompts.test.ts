import { expect, test } from "vitest";
import { groupPrompts } from "./group-prompts.ts";

test("prompts that one run asks at once are in the order of its calls, the newest run first", () => {
  const prompt = (id: string, task_id: string, position: number, kind: "approval" | "question" = "approval") => ({
    ...{ id, task_id, position, kind },
  });
  const groups = groupPrompts([prompt("c", "new", 0, "question"), prompt("b", "old", 1), prompt("a", "old", 0)]);
  expect(groups.map(({ task, prompts }) => [task, prompts.map(({ id }) => id)])).toEqual([
    ["new", ["c"]],
    ["old", ["a", "b"]],
  ]);
  expect(groups.map(({ approvals }) => approvals.length)).toEqual([0, 2]);
});

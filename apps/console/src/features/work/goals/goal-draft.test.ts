import { expect, test } from "vitest";
import { bodyOf, type CheckDraft, NO_CHECK, NO_GOAL, verifierOf } from "./goal-draft.ts";

const check = (draft: Partial<CheckDraft>, args = {}) => verifierOf({ ...NO_CHECK, ...draft }, args);

test("each kind of check is sent as its verifier", () => {
  expect(check({})).toEqual({ type: "llm" });
  expect(check({ kind: "test", command: "node --test", pins: " cart.test.mjs \n\nb.mjs" })).toEqual({
    ...{ type: "test", command: "node --test", pin: ["cart.test.mjs", "b.mjs"] },
  });
  expect(check({ kind: "command", command: "true" })).toEqual({ type: "command", command: "true" });
  expect(check({ kind: "data", path: "a.json", expr: "open = 0" })).toEqual({
    ...{ type: "data", path: "a.json", expr: "open = 0" },
  });
  expect(check({ kind: "ci", of: "#12", repo: "o/r" })).toEqual({ type: "ci", pr: 12, repo: "o/r" });
  expect(check({ kind: "ci", of: "main" })).toEqual({ type: "ci", branch: "main" });
  expect(check({ kind: "named", named: "core:board" }, { issue_id: "task-1" })).toEqual({
    ...{ type: "plugin", check: "core:board", args: { issue_id: "task-1" } },
  });
});

test("a check that is not whole is not sent", () => {
  for (const kind of ["test", "command", "data", "ci", "named"] as const) expect(check({ kind })).toBeUndefined();
  expect(check({ kind: "data", path: "a", contains: "x", expr: "y" })).toBeUndefined();
});

test("what is left blank is left to the settings", () => {
  expect(bodyOf({ ...NO_GOAL, condition: "c" }, { kind: "judge", project: "app" })).toEqual({
    ...{ condition: "c", kick: true, fresh_context: false },
  });
  const whole = { ...NO_GOAL, condition: "c", maxIterations: "5", boundaries: "a\nb", begins: false };
  expect(bodyOf(whole, { kind: "test", project: "app" })).toMatchObject({
    ...{ max_iterations: 5, boundaries: ["a", "b"], kick: false, project: "app" },
  });
});

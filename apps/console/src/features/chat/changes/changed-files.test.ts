import { expect, test } from "vitest";
import { type Change, changedFiles } from "./changed-files.ts";
import { outcomeText } from "./outcome-text.ts";

const change = (id: string, path: string, more: Partial<Change> = {}): Change => ({
  ...{ id, task_id: "t", call_id: "c", session_id: "s", project: "p", path, op: "modify", origin: "tool" },
  ...{ additions: 2, deletions: 1, bytes: 9, reversible: true, reason: null, state: "done", current: "unchanged" },
  ...{ uncertain: false, created_at: "" },
  ...more,
});

test("a file is shown once, with the lines of its changes that are in effect", () => {
  const files = changedFiles([
    ...[change("3", "b"), change("2", "a", { additions: 5 }), change("1", "b", { uncertain: true })],
  ]);
  expect(files.map(({ uncertain }) => uncertain)).toEqual([false, true]);
  expect(files.map(({ path, ids, additions, deletions, undo }) => [path, ids, additions, deletions, undo])).toEqual([
    ["a", ["2"], 5, 1, undefined],
    ["b", ["3", "1"], 4, 2, undefined],
  ]);
});

test("a file that was undone names the undo that brings it back, and one that was brought back its changes", () => {
  const made = change("1", "a", { state: "undone" });
  const undo = change("2", "a", { origin: "undo" });
  expect(changedFiles([undo, made])).toMatchObject([{ ids: [], undo: "2", additions: 0 }]);
  const redo = change("3", "a", { origin: "undo" });
  const back = [redo, { ...undo, state: "undone" as const }, { ...made, state: "done" as const }];
  expect(changedFiles(back)).toMatchObject([{ ids: ["1"], undo: undefined, additions: 2 }]);
});

test("what becomes of a file is said in words", () => {
  const file = { project: "p", path: "a" };
  expect(outcomeText({ ...file, result: "removed" })).toBe("removed");
  expect(outcomeText({ ...file, result: "conflict", reason: "changed" })).toBe("left as it is: it was changed since");
  expect(outcomeText({ ...file, result: "conflict", reason: "read-only" })).toBe("left as it is: read only");
});

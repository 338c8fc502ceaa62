import { expect, test } from "vitest";
import { columnsOf, type Issue, labelOf, PRIORITIES } from "./issue.ts";

const issue = (number: number, status: Issue["status"], priority = 2): Issue => ({
  ...{ id: `task-${number}`, title: `T${number}`, description: "", status, priority, issue_type: "task", assignee: "" },
  ...{ session_id: null, created_at: "", updated_at: "", closed_at: null, close_reason: null, run: null },
});

test("a column has the most urgent issues first, then the newest, by number and not by letters", () => {
  const columns = columnsOf([issue(9, "open"), issue(10, "open"), issue(2, "open", 0), issue(3, "closed")], new Map());
  expect(columns.open.map(({ id }) => id)).toEqual(["task-2", "task-10", "task-9"]);
  expect(columns.closed.map(({ id }) => id)).toEqual(["task-3"]);
});

test("an issue that was just moved is in its new column before the service confirms it", () => {
  const columns = columnsOf([issue(1, "open")], new Map([["task-1", "blocked"]]));
  expect(columns.open).toEqual([]);
  expect(columns.blocked).toEqual([issue(1, "blocked")]);
});

test("values without a label are shown as they are", () => {
  expect(labelOf(PRIORITIES, 0)).toBe("Urgent");
  expect(labelOf(PRIORITIES, 7)).toBe("7");
});

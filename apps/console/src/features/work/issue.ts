import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";

/** An issue as the board's routes return it. */
export type Issue = AnswerOf<Extract<OperatorDefinition, { readonly name: "tasks.read" }>>["issue"];
/** What an issue can be doing. */
export type IssueStatus = Issue["status"];
/** What kind of work it is. */
export type IssueType = Issue["issue_type"];

/** The board's columns, from left to right. */
export const STATUSES: readonly { readonly value: IssueStatus; readonly label: string }[] = [
  { value: "open", label: "Open" },
  { value: "in_progress", label: "In progress" },
  { value: "blocked", label: "Blocked" },
  { value: "deferred", label: "Deferred" },
  { value: "closed", label: "Closed" },
];

/** Kinds of issues. */
export const TYPES: readonly { readonly value: IssueType; readonly label: string }[] = [
  { value: "task", label: "To do" },
  { value: "bug", label: "Bug" },
  { value: "feature", label: "Feature" },
  { value: "chore", label: "Chore" },
  { value: "epic", label: "Epic" },
];

/** Priorities, the most urgent first. */
export const PRIORITIES: readonly { readonly value: number; readonly label: string }[] = [
  { value: 0, label: "Urgent" },
  { value: 1, label: "High" },
  { value: 2, label: "Normal" },
  { value: 3, label: "Low" },
];

/** The label of a value of one of the lists above. */
export function labelOf<TValue>(
  list: readonly { readonly value: TValue; readonly label: string }[],
  value: TValue,
): string {
  return list.find((entry) => entry.value === value)?.label ?? String(value);
}

/**
 * The issues of each column, those that are being moved in their new one; the most urgent
 * first, then the newest.
 */
export function columnsOf(
  issues: readonly Issue[],
  moved: ReadonlyMap<string, IssueStatus>,
): Readonly<Record<IssueStatus, readonly Issue[]>> {
  const columns: Record<IssueStatus, Issue[]> = { open: [], in_progress: [], blocked: [], deferred: [], closed: [] };
  for (const issue of issues) {
    const status = moved.get(issue.id) ?? issue.status;
    columns[status].push(status === issue.status ? issue : { ...issue, status });
  }
  for (const column of Object.values(columns)) {
    column.sort((a, b) => a.priority - b.priority || numberOf(b) - numberOf(a));
  }
  return columns;
}

function numberOf({ id }: Issue): number {
  return Number(id.slice("task-".length));
}

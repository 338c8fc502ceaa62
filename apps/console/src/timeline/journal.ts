import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";

type JournalPage = AnswerOf<Extract<OperatorDefinition, { readonly name: "a2a_tasks.journal" }>>;

/** A task as the list of tasks tells it. */
export type TaskRow = JournalPage["task"];

/** What a task is called: the first line of what it was told, of an inbox item the first of its own. */
export function taskTitle({ input, origin }: Pick<TaskRow, "input" | "origin">): string {
  const told = origin === "inbox" ? input.replace(/^\[Inbox item[^\n]*\]\n/, "") : input;
  return told.trim().split("\n", 1)[0] || "Task";
}

/** Pages of the list of tasks as one list. A task that changed while they were read stands on two: the first is the later one. */
export function uniqueTasks<TRow extends Pick<TaskRow, "task_id">>(rows: readonly TRow[]): readonly TRow[] {
  const first = new Map<string, TRow>();
  for (const row of rows) if (!first.has(row.task_id)) first.set(row.task_id, row);
  return [...first.values()];
}

/** A line of a task's journal. */
export type JournalRow = JournalPage["events"][number];

/** One kind of line. */
export type RowOf<TKind extends JournalRow["kind"]> = Extract<JournalRow, { readonly kind: TKind }>;

/** What is known of a task: its row, and lines of its journal, the oldest first. */
interface TaskLines {
  readonly task: TaskRow;
  readonly events: readonly JournalRow[];
  /** The journal goes on where `events` ends. */
  readonly more?: boolean;
}

/** A task's journal, and which tasks its calls started. */
export interface TaskJournal extends TaskLines {
  readonly started: JournalPage["children"];
}

/** Everything a task was told: its row has the beginning alone. */
export function toldText({ task, events: [first] }: TaskLines): string {
  return (first?.kind === "accepted" ? first.text : task.input).trim();
}

/** A task with everything that its calls delegated, as far as it was read. */
export interface TimelineSource extends TaskLines {
  readonly children: readonly TimelineSource[];
  /** Background jobs that it began: they outlive it, and have timelines of their own. */
  readonly jobs?: TaskJournal["started"];
}

/**
 * What a task cost so far with what it delegated, in US dollars, estimated: its row has it once it ended. Null where nobody
 * knows: a price is missing, or lines of a journal were not read.
 */
export function costSoFar(source: TimelineSource): number | null {
  const costs = callCosts(source);
  if (costs.length === 0) return null;
  return costs.reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0);
}

/** What each call cost that told its tokens; null where nobody knows. */
function callCosts({ events, children, more = false }: TimelineSource): (number | null)[] {
  const own = events.flatMap((row) =>
    (row.kind === "model_finished" || row.kind === "model_failed") && row.usage !== null ? [row.cost_usd] : [],
  );
  return [...own, ...children.flatMap(callCosts), ...(more ? [null] : [])];
}

/** Time of a row, epoch milliseconds. */
export function timeOf(row: JournalRow): number {
  return Date.parse(row.at);
}

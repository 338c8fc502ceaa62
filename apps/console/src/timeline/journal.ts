import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import { count } from "../ui/index.ts";

type JournalPage = AnswerOf<Extract<OperatorDefinition, { readonly name: "a2a_tasks.journal" }>>;

/** A task as the list of tasks returns it. */
export type TaskRow = JournalPage["task"];

/** The title of a task: the first line of its message, without the heading that the engine adds to inbox items. */
export function taskTitle({ input, origin }: Pick<TaskRow, "input" | "origin">): string {
  const message = origin === "inbox" ? input.replace(/^\[Inbox item[^\n]*\]\n/, "") : input;
  return message.trim().split("\n", 1)[0] || "Run";
}

/** The calls of a task in words: `2 model calls, 1 tool call`; of tools only where it made some. */
export function callsLabel({ model_calls, tool_calls }: Pick<TaskRow, "model_calls" | "tool_calls">): string {
  const calls = (of: string, number: number): string => `${count(number)} ${of} ${number === 1 ? "call" : "calls"}`;
  return [calls("model", model_calls), ...(tool_calls > 0 ? [calls("tool", tool_calls)] : [])].join(", ");
}

/** Pages of the list of tasks as one list. A task that changed while they were read is on two: the first is the later one. */
export function uniqueTasks<TRow extends Pick<TaskRow, "task_id">>(rows: readonly TRow[]): readonly TRow[] {
  const first = new Map<string, TRow>();
  for (const row of rows) if (!first.has(row.task_id)) first.set(row.task_id, row);
  return [...first.values()];
}

/** A line of a task's journal. */
export type JournalRow = JournalPage["events"][number];

/** One kind of line. */
export type RowOf<TKind extends JournalRow["kind"]> = Extract<JournalRow, { readonly kind: TKind }>;

/** A task as far as it was read: its row, and lines of its journal, the oldest first. */
interface TaskLines {
  readonly task: TaskRow;
  readonly events: readonly JournalRow[];
  /** The journal continues after `events`. */
  readonly more?: boolean;
}

/** A task's journal, and which tasks its calls started. */
export interface TaskJournal extends TaskLines {
  readonly started: JournalPage["children"];
}

/** The whole message of a task: its row has only the beginning. */
export function messageOf({ task, events: [first] }: TaskLines): string {
  return (first?.kind === "accepted" ? first.text : task.input).trim();
}

/** The line of a task's answer, among lines in any order. */
export function answerOf(events: readonly JournalRow[]): RowOf<"answer"> | undefined {
  return events.findLast((row) => row.kind === "answer");
}

/** Whether a call, or the service for itself, began it in the background: it outlives the turn, and is no part of its cost. */
export function isJob({ origin }: Pick<TaskRow, "origin">): boolean {
  return origin === "background" || origin === "auxiliary";
}

/** A task with all tasks that its calls delegated, as far as they were read. */
export interface TimelineSource extends TaskLines {
  readonly children: readonly TimelineSource[];
  /** Background jobs that it started: they outlive it. */
  readonly jobs?: TaskJournal["started"];
}

/**
 * The cost so far of a task and what it delegated, in US dollars, estimated: its row has it once it ended. Null where it is
 * unknown: a price is missing, or lines of a journal were not read.
 */
export function costSoFar(source: TimelineSource): number | null {
  const costs = callCosts(source);
  if (costs.length === 0) return null;
  return costs.reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0);
}

/** The cost of each call that reported its tokens; null where unknown. */
function callCosts({ events, children, more = false }: TimelineSource): (number | null)[] {
  const own = events.flatMap((row) =>
    (row.kind === "model_finished" || row.kind === "model_failed") && row.usage !== null ? [row.cost_usd] : [],
  );
  const parts = children.filter(({ task }) => !isJob(task));
  return [...own, ...parts.flatMap(callCosts), ...(more ? [null] : [])];
}

/** Time of a row, epoch milliseconds. */
export function timeOf(row: JournalRow): number {
  return Date.parse(row.at);
}

import type { JournalRow, TaskJournal, TaskRow, TimelineSource } from "./journal.ts";

/** Where journals are read from. */
export interface JournalReader {
  /** A task's journal, the oldest line first. `over`: it will not change any more. */
  journal(task: string, over: boolean): Promise<TaskJournal>;
  /** Tasks of subagents that are under way, of any parent. */
  running(): Promise<readonly TaskRow[]>;
}

/** Journals that one timeline is made of. What lies beyond is one click away: on the page of its own task. */
const MOST_TASKS = 40;

/** Reads a task and what it delegated, at any depth, up to a bound. Rejects as the reader does for the task itself. */
export async function loadTimeline(reader: JournalReader, id: string): Promise<TimelineSource> {
  const root = await reader.journal(id, false);
  const running = isOver(root.task) ? [] : await reader.running();
  const budget = { tasks: MOST_TASKS - 1 };
  return withChildren(reader, root, running, budget);
}

/** Whether a task ended. */
export function isOver({ state }: Pick<TaskRow, "state">): boolean {
  return state !== "working" && state !== "input-required";
}

async function withChildren(
  reader: JournalReader,
  journal: TaskJournal,
  running: readonly TaskRow[],
  budget: { tasks: number },
): Promise<TimelineSource> {
  const { task_id: own } = journal.task;
  const ended = new Set(journal.events.flatMap(endedTask));
  const open = running.filter((task) => task.parent_task_id === own && !ended.has(task.task_id));
  const wanted = [
    ...[...ended].map((id) => ({ id, over: true })),
    ...open.map(({ task_id: id }) => ({ id, over: false })),
  ];
  const read = wanted.slice(0, Math.max(0, budget.tasks));
  budget.tasks -= read.length;
  const children = await Promise.all(
    read.map(async ({ id, over }) => {
      // A child may have been deleted with its session: the rest of the timeline stands without it.
      const child = await reader.journal(id, over).catch(() => undefined);
      return child === undefined ? [] : [await withChildren(reader, child, running, budget)];
    }),
  );
  return { ...journal, children: children.flat() };
}

function endedTask(row: JournalRow): string[] {
  return row.kind === "delegation_finished" ? [row.task_id] : [];
}

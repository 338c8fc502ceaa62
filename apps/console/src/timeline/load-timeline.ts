import { isJob, type TaskJournal, type TaskRow, type TimelineSource } from "./journal.ts";

/** Reads a task's journal, the oldest line first. `over`: the task ended, so its journal no longer changes. */
export type JournalReader = (task: string, over: boolean) => Promise<TaskJournal>;

/** Maximum number of journals of one timeline. Tasks beyond it are shown on pages of their own. */
const MOST_TASKS = 40;

/** Reads a task and what it delegated, at any depth, up to a bound. Rejects as the reader does for the task itself. */
export async function loadTimeline(read: JournalReader, id: string): Promise<TimelineSource> {
  return withChildren(read, await read(id, false), { tasks: MOST_TASKS - 1 });
}

export function isOver({ state }: Pick<TaskRow, "state">): boolean {
  return state !== "working" && state !== "input-required";
}

/** Whether the task, or what it delegated, is still open. */
export function isAtWork({ task, children }: TimelineSource): boolean {
  return !isOver(task) || children.some(isAtWork);
}

async function withChildren(
  read: JournalReader,
  { started, ...lines }: TaskJournal,
  budget: { tasks: number },
): Promise<TimelineSource> {
  const wanted = started
    .filter((child) => child.origin === "subagent" || isJob(child))
    .slice(0, Math.max(0, budget.tasks));
  budget.tasks -= wanted.length;
  const children = await Promise.all(
    wanted.map(async (child) => {
      // It may have been deleted with its session: the rest of the timeline is shown without it.
      const journal = await read(child.task_id, isOver(child)).catch(() => undefined);
      return journal === undefined ? [] : [await withChildren(read, journal, budget)];
    }),
  );
  return { ...lines, children: children.flat(), jobs: started.filter(isJob) };
}

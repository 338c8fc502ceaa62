import { expect, test } from "vitest";
import type { TaskJournal, TaskRow } from "./journal.ts";
import { loadTimeline } from "./load-timeline.ts";

type Started = TaskJournal["started"];

const child = (task_id: string, state: TaskRow["state"] = "completed", origin = "subagent") => ({
  ...{ task_id, state, origin },
});

/** Journals of tasks, by the tasks that each started. */
function reader(started: { readonly [id: string]: Started }) {
  const asked: string[] = [];
  const read = async (id: string, over: boolean): Promise<TaskJournal> => {
    asked.push(`${id}${over ? " (over)" : ""}`);
    const found = started[id];
    if (found === undefined) throw new Error(`no ${id}`);
    return { task: { task_id: id } as TaskRow, events: [], started: found };
  };
  return { asked, read };
}

test("what a task delegated is read at any depth, whether it runs or ended, jobs included", async () => {
  const { asked, read } = reader({
    a: [child("b"), child("deleted"), child("c", "input-required"), child("job", "working", "background")],
    b: [child("d")],
    c: [],
    d: [],
    job: [],
  });
  const source = await loadTimeline(read, "a");
  expect(source.children.map(({ task, children }) => [task.task_id, children.map((one) => one.task.task_id)])).toEqual([
    ["b", ["d"]],
    ["c", []],
    ["job", []],
  ]);
  expect(source.jobs?.map(({ task_id }) => task_id)).toEqual(["job"]);
  expect(asked.toSorted()).toEqual(["a", "b (over)", "c", "d (over)", "deleted (over)", "job"]);
});

test("a timeline reads a bounded number of journals, and rejects where its own task was deleted", async () => {
  const many = Array.from({ length: 60 }, (_, n) => `t${n}`);
  const { asked, read } = reader({
    a: many.map((id) => child(id)),
    ...Object.fromEntries(many.map((id) => [id, []])),
  });
  expect((await loadTimeline(read, "a")).children).toHaveLength(39);
  expect(asked).toHaveLength(40);
  await expect(loadTimeline(read, "other")).rejects.toThrow("no other");
});

import { expect, test } from "vitest";
import type { TaskJournal, TaskRow } from "./journal.ts";
import { type JournalReader, loadTimeline } from "./load-timeline.ts";

const row = (id: string, state: TaskRow["state"], parent: string | null = null) =>
  ({ task_id: id, state, parent_task_id: parent }) as TaskRow;

function reader(journals: { readonly [id: string]: TaskJournal }, running: readonly TaskRow[]) {
  const asked: string[] = [];
  const of: JournalReader = {
    async journal(id, over) {
      asked.push(`${id}${over ? " (over)" : ""}`);
      const found = journals[id];
      if (found === undefined) throw new Error(`no ${id}`);
      return found;
    },
    running: async () => running,
  };
  return { asked, of };
}

function finished(...ids: readonly string[]): TaskJournal["events"] {
  return ids.map((task_id, seq) => ({
    ...{ kind: "delegation_finished" as const, seq, at: "2026-11-21T10:00:00Z", call_id: "c" },
    ...{ task_id, state: "completed" as const },
  }));
}

test("what a task delegated is read at any depth: what ended from its journal, what runs from the list", async () => {
  const { asked, of } = reader(
    {
      a: { task: row("a", "working"), events: finished("b", "gone") },
      b: { task: row("b", "completed", "a"), events: finished("d") },
      c: { task: row("c", "working", "a"), events: [] },
      d: { task: row("d", "completed", "b"), events: [] },
    },
    [row("c", "working", "a"), row("z", "working", "other")],
  );
  const source = await loadTimeline(of, "a");
  expect(source.children.map(({ task, children }) => [task.task_id, children.map((one) => one.task.task_id)])).toEqual([
    ["b", ["d"]],
    ["c", []],
  ]);
  expect(asked.toSorted()).toEqual(["a", "b (over)", "c", "d (over)", "gone (over)"]);
});

test("a timeline reads a bounded number of journals, and rejects where its own task is gone", async () => {
  const many = Array.from({ length: 60 }, (_, n) => `t${n}`);
  const { asked, of } = reader(
    Object.fromEntries([
      ["a", { task: row("a", "completed"), events: finished(...many) }],
      ...many.map((id) => [id, { task: row(id, "completed", "a"), events: [] }] as const),
    ]),
    [],
  );
  expect((await loadTimeline(of, "a")).children).toHaveLength(39);
  expect(asked).toHaveLength(40);
  await expect(loadTimeline(of, "other")).rejects.toThrow("no other");
});

import { expect, it } from "vitest";
import { promptsOfTask } from "./prompts-of-task.ts";

const core = {
  service: { get: async (id: string) => ({ view: { role: id === "child" ? "researcher" : undefined } }) },
  journal: { statements: { selectChildren: { bind: (of: object) => of } } },
  db: {
    read: async () => [
      ["child", "subagent"],
      ["other", "background"],
    ],
  },
};
const snapshots = {
  ofTask: async (task: string) => (task === "deleted" ? undefined : { task_id: task, calls: [{ step: 1 }] }),
};

it("shows a turn's calls with those of the subagents it delegated to, by role", async () => {
  const read = promptsOfTask(snapshots as never, core as never);
  expect(await read("lead")).toMatchObject({
    task_id: "lead",
    calls: [{ step: 1, subagent_type: null }],
    subagents: [{ task_id: "child", calls: [{ step: 1, subagent_type: "researcher" }] }],
  });
  expect(await read("deleted")).toBeUndefined();
});

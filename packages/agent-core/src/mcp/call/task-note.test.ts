import { expect, test } from "vitest";
import { NO_OFFERS } from "../offer/index.ts";
import { newTask, type TaskNote, taskState } from "./task-note.ts";

const note = newTask({ taskId: "task-a", status: "working" }, "target") as TaskNote;
const completed = { status: "completed", result: { content: [] } };

test("the end of another task is not taken for the end of the one that was asked for", () => {
  expect(taskState(note, { taskId: "task-b", ...completed }, NO_OFFERS)).toMatchObject({ kind: "unreadable" });
  expect(taskState(note, { taskId: null, ...completed }, NO_OFFERS)).toMatchObject({ kind: "unreadable" });
});

test("a task is read under its id, and where its server leaves that out", () => {
  expect(taskState(note, { taskId: "task-a", ...completed }, NO_OFFERS)).toMatchObject({ kind: "completed" });
  expect(taskState(note, completed, NO_OFFERS)).toMatchObject({ kind: "completed" });
});

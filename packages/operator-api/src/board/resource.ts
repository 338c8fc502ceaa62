import { defineResource } from "../resource/index.ts";
import {
  boardRoutes,
  closeIssue,
  createIssue,
  editIssue,
  initBoard,
  listIssues,
  readBoardStatus,
  readIssue,
  removeIssue,
  runIssue,
} from "./routes.ts";

/** The issues of the task board. */
export const board = defineResource({
  name: "board",
  feature: "tasks",
  definitions: [
    readBoardStatus,
    initBoard,
    listIssues,
    readIssue,
    createIssue,
    editIssue,
    closeIssue,
    runIssue,
    removeIssue,
  ],
  topics: [
    { topic: "board.changed", when: "An issue was created, updated, closed or deleted", data: "`id`, `action`" },
    { topic: "task.changed", when: "As `board.changed`", data: "`id`, `action`" },
  ],
  routes: boardRoutes,
});

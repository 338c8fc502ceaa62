import { defineResource } from "../resource/index.ts";
import { changesRoutes, diffChanges, listChanges, undoChanges } from "./routes.ts";

/** What tools changed in files, and the way back. */
export const changes = defineResource({
  name: "changes",
  feature: "changes",
  definitions: [listChanges, diffChanges, undoChanges],
  topics: [
    {
      topic: "files.changed",
      when: "A file was changed by a tool, or a command has changed it (of one command, for the first 100 files)",
      data: "`id`, `task_id`, `project`, `path`, `op`, `origin`",
    },
    { topic: "files.undone", when: "Changes were taken back", data: "`undo_id`, `files`, `conflicts`" },
  ],
  routes: changesRoutes,
});

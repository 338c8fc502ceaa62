import { defineFeature } from "../feature/index.ts";
import { FileChanges } from "./file-changes.ts";
import type { FileHistoryOptions } from "./file-history.ts";

/** Changes of files: what they were, what they are, and the way back. */
export function fileHistory(options: Pick<FileHistoryOptions, "fence" | "folder" | "limitBytes">) {
  return defineFeature({
    name: "file-history",
    topics: ["files.changed", "files.undone"],
    open: ({ db, clock, newId, redactor, bus, log }) =>
      new FileChanges({ ...options, db, clock, newId, redactor, bus, log }),
    recover: (changes) => changes.recover(),
    forgetTasks: (changes, tasks) => changes.forgetTasks(tasks),
    sweep: (changes) => changes.sweep(),
    drain: ({ history }) => history.settled(),
  });
}

import { defineFeature, featureKey } from "../feature/index.ts";
import { files, filesystemSection } from "../filesystem/index.ts";
import { deleteFile } from "./delete-file.ts";
import { editFile } from "./edit-file.ts";
import { FileChanges } from "./file-changes.ts";
import { writeFile } from "./write-file.ts";

const MEBIBYTE = 1_024 * 1_024;

/** Changes of files: the tools that make them, what the files were, and the way back. `folder`: where that is kept. */
export function fileHistory({ folder }: { readonly folder: string }) {
  return defineFeature({
    name: "file-history",
    category: "files",
    needs: [files],
    sections: [filesystemSection],
    topics: ["files.changed", "files.undone"],
    open({ db, clock, newId, redactor, bus, log }, { needs, settings }) {
      const { fence, seen } = needs.filesystem;
      const limitBytes = (): number => settings.filesystem.history_mb * MEBIBYTE;
      const changes = new FileChanges({ fence, folder, limitBytes, db, clock, newId, redactor, bus, log });
      return { changes, seen, redact: redactor.known };
    },
    tools({ changes: { history }, seen, redact }) {
      const parts = { history, seen, redact };
      return [writeFile(parts), editFile(parts), deleteFile(parts)];
    },
    recover: ({ changes }) => changes.recover(),
    forgetTasks: ({ changes }, tasks) => changes.forgetTasks(tasks),
    sweep: ({ changes }) => changes.sweep(),
    drain: ({ changes }) => changes.history.settled(),
  });
}

/** What hosts need of it. */
export const fileChanges = featureKey<"file-history", { readonly changes: FileChanges }>("file-history");

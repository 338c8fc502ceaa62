/** One edit beside what it must do at least: write a file, force it to the disk, put it in place, force that. */
import { writeFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { type FilesCase, interleaved, ratio, show } from "./case.ts";
import { openBenchEngine } from "./engine.ts";

/** A file of source, of which one line is edited. */
const LINES = 120;
const LINE = "export const value = 'harbour ships inside';";

async function replaceByHand(folder: string, path: string, content: string): Promise<void> {
  const file = await open(`${path}.tmp`, "wx");
  await file.writeFile(content);
  await file.sync();
  await file.close();
  await rename(`${path}.tmp`, path);
  const parent = await open(folder, "r");
  await parent.sync();
  await parent.close();
}

export const edits: FilesCase = {
  name: "edits",
  async run({ rounds }) {
    const engine = await openBenchEngine();
    try {
      const path = join(engine.root, "file.txt");
      const contentOf = (edit: number): string => [`// edit ${edit}`, ...Array(LINES).fill(LINE)].join("\n");
      writeFileSync(path, contentOf(0));
      let commits = 0;
      const { db } = engine;
      const commit = db.commit.bind(db);
      db.commit = async (command) => {
        const began = performance.now();
        await commit(command);
        // That the change was made is committed beside the call's outcome, and not waited for here.
        if (command.label === "file-change.intended") commits += performance.now() - began;
      };
      let edit = 0;
      const found = await interleaved(rounds * 20, {
        raw: () => replaceByHand(engine.root, join(engine.root, "raw.txt"), contentOf(edit)),
        async edit_file() {
          const strings = { old_string: `// edit ${edit}\n`, new_string: `// edit ${++edit}\n` };
          commits = 0;
          const began = performance.now();
          await engine.call("edit_file", { path: "file.txt", project: "", replace_all: false, ...strings });
          return performance.now() - began - commits;
        },
        // So that the next one has the store for itself.
        settle: () => engine.changes.history.settled(),
      });
      show(`an edit of a file of ${contentOf(0).length} bytes, without its commit`, found);
      return [ratio("edit_file beside write, fsync, rename, fsync", found.edit_file, found.raw, 3)];
    } finally {
      await engine.close();
    }
  },
};

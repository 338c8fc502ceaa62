/** Taking back what a turn did to 100 files. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FilesCase, interleaved, show, time } from "./case.ts";
import { openBenchEngine } from "./engine.ts";

const FILES = 100;
const LINE = "export const value = 'harbour ships inside';\n";

export const undo: FilesCase = {
  name: "undo",
  async run({ rounds }) {
    const engine = await openBenchEngine();
    try {
      const names = Array.from({ length: FILES }, (_, index) => `file-${index}.txt`);
      for (const name of names) writeFileSync(join(engine.root, name), `// ${name} 0\n${LINE.repeat(100)}`);
      let edit = 0;
      const found = await interleaved(Math.ceil(rounds / 3), {
        async edits() {
          const [old, next] = [edit, ++edit];
          for (const name of names) {
            const strings = { old_string: `// ${name} ${old}\n`, new_string: `// ${name} ${next}\n` };
            await engine.call("edit_file", { path: name, project: "", replace_all: false, ...strings });
          }
          await engine.changes.history.settled();
        },
        async undo() {
          const changes = (await engine.changes.list({ project: "bench" }, FILES)).map(({ id }) => id);
          const began = performance.now();
          const { files } = await engine.changes.undo({ ids: changes }, { preview: false });
          const took = performance.now() - began;
          const failed = files.find(({ result }) => result !== "restored");
          if (failed !== undefined || files.length !== FILES) throw new Error(JSON.stringify(failed));
          edit--;
          return took;
        },
      });
      show(`${FILES} files edited one by one, and taken back`, found);
      return [time(`undo of ${FILES} files`, found.undo, 1_000)];
    } finally {
      await engine.close();
    }
  },
};

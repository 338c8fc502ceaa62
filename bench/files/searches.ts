/** Looking through 20,000 files of 5 kB, beside the programs that people use for it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FilesCase, interleaved, ratio, show } from "./case.ts";
import { openBenchEngine } from "./engine.ts";

const FILES = 20_000;
const BYTES = 5_000;
const WORDS = ["harbour", "ships", "inside", "const", "return", "while", "0x1f", "import", "night", "value"];

function makeTree(root: string): void {
  for (let index = 0; index < FILES; index++) {
    const folder = join(root, `src/part-${Math.floor(index / 500)}/${Math.floor(index / 50) % 10}`);
    if (index % 50 === 0) mkdirSync(folder, { recursive: true });
    const lines: string[] = [];
    for (let length = 0; length < BYTES; length += lines.at(-1)!.length + 1)
      lines.push(
        Array.from({ length: 9 }, (_, word) => WORDS[(index * 7 + lines.length * 3 + word) % WORDS.length]).join(" "),
      );
    if (index % 100 === 0) lines[10] = "the needle of this file";
    writeFileSync(join(folder, `file-${index}.txt`), lines.join("\n"));
  }
}

export const searches: FilesCase = {
  name: "searches",
  async run({ rounds }) {
    const engine = await openBenchEngine();
    try {
      makeTree(engine.root);
      const program = (name: string, ...args: string[]): void =>
        void execFileSync(name, args, { cwd: engine.root, maxBuffer: 1 << 26 });
      const all = { path: ".", project: "", include_ignored: false, limit: 1_000 };
      const search = { glob: "", regex: true, ignore_case: false, context_lines: 0, output: "content" };
      const found = await interleaved(rounds, {
        grep: () => program("grep", "-rIn", "-E", "need[a-z]e of", "."),
        search_files: async () =>
          void (await engine.call("search_files", { ...all, ...search, pattern: "need[a-z]e of" })),
        find: () => program("find", ".", "-name", "*1.txt", "-printf", "%T@ %p\\n"),
        find_files: async () => void (await engine.call("find_files", { ...all, pattern: "*1.txt" })),
      });
      show(`${FILES} files of ${BYTES} bytes`, found);
      return [
        ratio("search_files beside grep -rInE", found.search_files, found.grep, 8),
        ratio("find_files beside find -name -printf", found.find_files, found.find, 8),
      ];
    } finally {
      await engine.close();
    }
  },
};

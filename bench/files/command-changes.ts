/** What recording the changes of a command takes beyond the command: in a repository of 5,000 files, clean and not. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FilesCase, interleaved, show, time } from "./case.ts";
import { openBenchEngine } from "./engine.ts";

const FILES = 5_000;
/** Files that are not as the last commit has them, before the command and by it. */
const DIRTY = 10;
const MOST_MS = 250;

export const commandChanges: FilesCase = {
  name: "command-changes",
  async run({ rounds }) {
    const [plain, noting] = [await openBenchEngine(), await openBenchEngine({ notes: true })];
    try {
      for (const { root } of [plain, noting]) makeRepository(root);
      const [last, text] = [`src/part-${FILES / 100 - 1}`, "echo 1 >>"];
      const changing = Array.from({ length: DIRTY }, (_, index) => `${text} ${last}/file-${FILES - 1 - index}.ts`);
      const run = async (engine: typeof plain, command: string): Promise<void> =>
        void (await engine.call("run_command", { command, project: "", cwd: ".", timeout: 60 }));
      const clean = await interleaved(rounds, {
        command: () => run(plain, "true"),
        recorded: () => run(noting, "true"),
      });
      show(`a command that changes nothing, ${FILES} files`, clean);
      for (const { root } of [plain, noting]) for (let index = 0; index < DIRTY; index++) write(root, index, "dirty");
      const changed = await interleaved(rounds, {
        command: () => run(plain, changing.join("; ")),
        recorded: () => run(noting, changing.join("; ")),
      });
      show(`one that changes ${DIRTY} files, ${DIRTY} others being dirty`, changed);
      return [
        time("recording a command that changes nothing", clean.recorded - clean.command, MOST_MS),
        time(`recording one that changes ${DIRTY} files`, changed.recorded - changed.command, MOST_MS),
      ];
    } finally {
      await plain.close();
      await noting.close();
    }
  },
};

function write(root: string, index: number, more = ""): void {
  const folder = join(root, `src/part-${Math.floor(index / 100)}`);
  if (index % 100 === 0) mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `file-${index}.ts`),
    `export const value = ${index};\n${"// a line\n".repeat(500)}${more}`,
  );
}

function makeRepository(root: string): void {
  const git = (...args: readonly string[]): void =>
    void execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.test", ...args], { cwd: root });
  for (let index = 0; index < FILES; index++) write(root, index);
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
}

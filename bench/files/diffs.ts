/** What differs from the last commit, beside `git diff HEAD`. */
import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newHome } from "../targets.ts";
import { type FilesCase, interleaved, show, time } from "./case.ts";
import { ask, startService } from "./service.ts";

const FILES = 5_000;
const CHANGED = 50;

/** `git` without anybody's settings. */
export function git(cwd: string, ...args: string[]): void {
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  execFileSync("git", ["-c", "user.name=bench", "-c", "user.email=bench@localhost", ...args], {
    ...{ cwd, env, maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] },
  });
}

/** A repository of so many files, all committed. */
export function makeRepository(root: string, files: number): void {
  mkdirSync(root, { recursive: true });
  git(root, "init", "-q");
  for (let index = 0; index < files; index++) {
    const folder = join(root, `part-${index % 100}`);
    if (index < 100) mkdirSync(folder);
    writeFileSync(join(folder, `file-${index}.txt`), `export const value${index} = 1;\n`.repeat(100));
  }
  git(root, "add", "-A");
  git(root, "commit", "-qm", "all");
}

export const diffs: FilesCase = {
  name: "diffs",
  async run({ rounds }) {
    const home = realpathSync(newHome());
    const root = realpathSync(newHome());
    makeRepository(root, FILES);
    for (let index = 0; index < CHANGED; index++)
      writeFileSync(
        join(root, `part-${index % 100}`, `file-${index}.txt`),
        `${`export const value${index} = 1;\n`.repeat(99)}changed\n`,
      );
    const server = await startService(
      home,
      `filesystem: {code_pane: true}\nprojects: [{name: bench, path: "${root}"}]\n`,
    );
    try {
      const found = await interleaved(rounds * 2, {
        "git diff HEAD": () => git(root, "diff", "HEAD"),
        async "/api/fs/diff"() {
          const { files } = (await ask(server.port, "fs/diff?project=bench")) as { readonly files: readonly unknown[] };
          if (files.length !== CHANGED) throw new Error(`${files.length} files differ`);
        },
      });
      show(`${CHANGED} of ${FILES} files changed`, found);
      const beyond = found["/api/fs/diff"] - 1.5 * found["git diff HEAD"];
      return [time("/api/fs/diff beyond 1.5 × git diff HEAD", beyond, 60)];
    } finally {
      await server.kill();
      for (const folder of [home, root]) rmSync(folder, { recursive: true, force: true });
    }
  },
};

import { lstat, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { configValue } from "./git-config.ts";
import { GitError } from "./git-error.ts";
import { readLine, readSmallFile } from "./read-small-file.ts";

/** Where the parts of a repository lie. */
export interface Repository {
  /** The folder whose files it tracks, without links. */
  readonly top: string;
  /** `HEAD` and `index`. */
  readonly gitDir: string;
  /** Objects, refs and settings: `gitDir`, but for a linked work tree. */
  readonly commonDir: string;
}

/**
 * The repository that holds a folder: its own, or of the next folder above that has one. No program is run and nothing of
 * its settings counts, but where a `.git` file of a submodule has to be checked. `root` has no links.
 * @throws GitError `git.unreadable` for a `.git` that is no folder and whose target does not point back
 */
export async function findRepository(root: string): Promise<Repository | undefined> {
  for (let top = root; ; top = dirname(top)) {
    const path = join(top, ".git");
    const stat = await lstat(path).catch(() => undefined);
    if (stat?.isDirectory() === true) {
      if ((await readSmallFile(join(path, "HEAD"), 65_536)) !== undefined)
        return { top, gitDir: path, commonDir: path };
    } else if (stat !== undefined) {
      if (!stat.isFile()) throw new GitError("git.unreadable", "its .git is neither a folder nor a file");
      return fromGitFile(top, path);
    }
    if (top === dirname(top)) return undefined;
  }
}

/** The repository that a `.git` file names, if that repository names the file or the folder, too. */
async function fromGitFile(top: string, path: string): Promise<Repository> {
  const elsewhere = (): GitError =>
    new GitError("git.unreadable", "its .git is a file, and the repository that it names does not point back to it");
  const named = /^gitdir: (.+)$/.exec((await readLine(path)) ?? "")?.[1];
  if (named === undefined) throw elsewhere();
  const gitDir = await realpath(resolve(top, named)).catch(() => undefined);
  if (gitDir === undefined) throw elsewhere();
  const back = await readLine(join(gitDir, "gitdir"));
  if (back !== undefined) {
    const common = await readLine(join(gitDir, "commondir"));
    const commonDir = common === undefined ? undefined : await realpath(resolve(gitDir, common)).catch(() => undefined);
    const pointsBack =
      (isAbsolute(back) ? resolve(back) : resolve(gitDir, back)) === path || (await isSame(back, path));
    if (!pointsBack || commonDir === undefined || dirname(gitDir) !== join(commonDir, "worktrees")) throw elsewhere();
    return { top, gitDir, commonDir };
  }
  const config = (await readSmallFile(join(gitDir, "config"), 1_048_576))?.content.toString() ?? "";
  const worktree = configValue(config, "core", "worktree");
  if (worktree === undefined || !(await isSame(resolve(gitDir, worktree), top))) throw elsewhere();
  return { top, gitDir, commonDir: gitDir };
}

async function isSame(path: string, other: string): Promise<boolean> {
  return isAbsolute(path) && (await realpath(path).catch(() => undefined)) === other;
}

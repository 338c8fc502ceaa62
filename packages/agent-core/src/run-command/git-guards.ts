import { type Dirent, readFileSync } from "node:fs";
import { readdir, realpath, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { SandboxPolicy } from "../process/index.ts";

/** Folders that are looked through for repositories. */
const MAX_FOLDERS = 20_000;
/** What of a repository runs programs, or says which run. */
const RUNS = ["config", "hooks"];
const RUNS_WHERE_THERE = ["config.worktree", "modules", "info/attributes", "worktrees"];

/**
 * Names another folder whose settings and hooks git takes instead. Mounting something in its place would make it, and git
 * fails where it is empty: so it is removed when the command has ended.
 */
const REDIRECTS = "commondir";

type Guards = Pick<SandboxPolicy, "readOnly" | "pinned">;

/**
 * What a command that no person approved must leave as it is: in every repository of a project, at any depth, what makes git
 * run programs. A project that is too large to look through, or whose repository is a link, is read-only as a whole.
 */
export async function gitGuards(root: string): Promise<Guards> {
  const readOnly: string[] = [];
  const pinned: string[] = [];
  const folders = [root];
  for (let looked = 0; folders.length > 0; looked++) {
    if (looked >= MAX_FOLDERS) return { readOnly: [root], pinned: [] };
    const folder = folders.pop()!;
    const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.name.toLowerCase() !== ".git") {
        if (entry.isDirectory()) folders.push(path);
      } else if (entry.isSymbolicLink()) {
        return { readOnly: [root], pinned: [] };
      } else if (entry.isFile()) {
        readOnly.push(path);
      } else if (entry.isDirectory()) {
        const found = await readdir(path, { withFileTypes: true }).catch((): Dirent[] => []);
        const inside = new Map(found.map((one) => [one.name, one]));
        // What is not there cannot be protected, and could be made.
        const isWhole =
          inside.get("config")?.isFile() === true &&
          inside.get("hooks")?.isDirectory() === true &&
          !inside.has(REDIRECTS);
        if (isWhole) {
          pinned.push(path);
          readOnly.push(...[...RUNS, ...RUNS_WHERE_THERE].map((name) => join(path, name)), ...hooksOf(path, folder));
        } else {
          readOnly.push(path);
        }
      }
    }
  }
  return { readOnly, pinned };
}

/**
 * Removes from the repositories among these folders, which had none before, what leads git to other settings. Resolves with
 * their folders.
 */
export async function removeRedirections(pinned: readonly string[]): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const git of pinned) {
    if (basename(git).toLowerCase() !== ".git") continue;
    if ((await realpath(git).catch(() => undefined)) !== git) continue;
    const there = await readdir(git).catch((): string[] => []);
    if (!there.includes(REDIRECTS)) continue;
    await rm(join(git, REDIRECTS), { recursive: true, force: true });
    removed.push(git);
  }
  return removed;
}

/** The folder that the repository's own settings name for its hooks. */
function hooksOf(git: string, tree: string): readonly string[] {
  try {
    const [, value] =
      /^\s*hookspath\s*=\s*"?([^"\n#;]+?)"?\s*$/im.exec(readFileSync(join(git, "config"), "utf8")) ?? [];
    return value === undefined ? [] : [resolve(tree, value)];
  } catch {
    return [];
  }
}

import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** A copy of the repository's working tree in which anything may be written. */
export interface CopyOfTree {
  readonly root: string;
  /** The files of the repository, from its root. */
  readonly files: readonly string[];
}

const kept = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true } as const;

/**
 * Copies the files that git knows or would take, what is built, and the links between packages, so that an import of a
 * workspace package leads into the copy. Third-party packages are shared with the original.
 */
export function copyTree(original: string): CopyOfTree {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "copy-of-tree-")));
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: original,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const files = listed.split("\0").filter((file) => file !== "" && existsSync(path.join(original, file)));
  for (const file of files) cpSync(path.join(original, file), path.join(root, file), kept);
  const thirdParty = realpathSync(path.join(original, "node_modules", ".pnpm"));
  const packages = files.filter((file) => file.endsWith("package.json")).map((file) => path.dirname(file));
  for (const folder of packages) {
    // What the compiler knows of files that did not change; at the root there are caches of other things.
    for (const built of folder === "." ? [] : [".cache", "dist"]) {
      const from = path.join(original, folder, built);
      if (existsSync(from)) cpSync(from, path.join(root, folder, built), kept);
    }
    keepKnown(path.join(original, folder, ".cache"), path.join(root, folder, ".cache"), thirdParty);
    linkPackages(path.join(original, folder, "node_modules"), path.join(root, folder, "node_modules"));
  }
  return { root, files };
}

/**
 * Corrects the paths by which the compiler knows third-party packages: they are relative, and shared with the original. Else
 * it would take every type of theirs for a new one, and check all files again.
 */
function keepKnown(from: string, to: string, thirdParty: string): void {
  if (!existsSync(to)) return;
  for (const name of readdirSync(to).filter((file) => file.endsWith(".tsbuildinfo"))) {
    const file = path.join(to, name);
    const { atime, mtime } = statSync(file);
    const [was, is] = [from, to].map((folder) => `"${path.relative(realpathSync(folder), thirdParty)}/`);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(was as string, is as string));
    utimesSync(file, atime, mtime);
  }
}

function linkPackages(from: string, to: string): void {
  if (!existsSync(from)) return;
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from)) {
    if (entry.startsWith(".v")) continue;
    if (entry === ".pnpm") symlinkSync(path.join(from, entry), path.join(to, entry));
    else cpSync(path.join(from, entry), path.join(to, entry), kept);
  }
}

/** Returns the files of the repository that the copy has otherwise, with the lines that were added and removed. */
export function changesOf(original: string, { root, files }: CopyOfTree): readonly FileChange[] {
  return files.flatMap((file) => {
    const before = path.join(original, file);
    const after = path.join(root, file);
    const [old, now] = [before, after].map((at) => (existsSync(at) ? readFileSync(at, "utf8") : ""));
    if (old === undefined || now === undefined || old === now) return [];
    const lines = { old: old.split("\n"), now: now.split("\n") };
    return [{ file, added: without(lines.now, lines.old), removed: without(lines.old, lines.now) }];
  });
}

/** How one file of the copy differs. */
export interface FileChange {
  readonly file: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Lines that `of` has more often than `other`. */
function without(of: readonly string[], other: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const line of other) left.set(line, (left.get(line) ?? 0) + 1);
  return of.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

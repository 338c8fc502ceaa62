/**
 * Walks a tree below a folder of a project, in a thread: all calls wait. Each folder is opened from the one above it and
 * links are not followed, so nothing leads out (FE1, FE2); `.git`, protected places and names that hold secrets are left
 * out (FE4, FE7).
 */
import { closeSync, type Dirent, fstatSync, readdirSync, readSync, statfsSync } from "node:fs";
import { isGitName, isKernelFileSystem, isSecretLikeName } from "../file-name/index.ts";
import { IgnoreRules, kindOf, OpenFolder } from "../tree-walk/index.ts";
import type { Skipped, TreeStart } from "./tree-message.ts";

const MAX_DEPTH = 128;
const MAX_IGNORE_BYTES = 256 * 1024;

/** A file that was met: its path below the project's root, and how to open it. */
export interface MetFile {
  readonly path: string;
  readonly name: string;
  readonly folder: OpenFolder;
}

/** Called with each file; `false` ends the walk. */
export type OnFile = (file: MetFile) => boolean;

/** Visits every regular file: those of a folder by name, before those of the folders in it. */
export class TreeWalk {
  readonly skipped: Skipped = { ignored: 0, binary: 0, large: 0, secret: 0, unreadable: 0 };
  readonly #start: TreeStart;
  readonly #hidden: ReadonlySet<string>;
  readonly #isOver: () => boolean;

  /** `isOver` is asked now and then. */
  constructor(start: TreeStart, isOver: () => boolean) {
    this.#start = start;
    this.#hidden = new Set(start.hidden);
    this.#isOver = isOver;
  }

  /** Whether an open file is one of those that are hidden, under whichever of its names it was opened. */
  isHidden(fd: number): boolean {
    const { dev, ino } = fstatSync(fd, { bigint: true });
    return this.#hidden.has(`${dev}:${ino}`);
  }

  run(onFile: OnFile): void {
    const { here, real, holding, path, only, ignores } = this.#start;
    const folder = new OpenFolder(`${here}/.`, real, holding === "checked");
    try {
      if (only !== undefined) {
        onFile({ path: path === "" ? only : `${path}/${only}`, name: only, folder });
        return;
      }
      const rules = ignores.reduce((all, { base, rules: text }) => all.with(base, text), new IgnoreRules());
      this.#folder(folder, path, rules, onFile, 0);
    } catch {
      // It went, or may not be read.
      this.skipped.unreadable++;
    } finally {
      closeSync(folder.fd);
    }
  }

  #folder(folder: OpenFolder, path: string, above: IgnoreRules, onFile: OnFile, depth: number): boolean {
    if (this.#isOver()) return false;
    const entries = readdirSync(folder.at("."), { withFileTypes: true });
    folder.confirm();
    const rules = this.#rulesIn(folder, path, above, entries);
    const folders: string[] = [];
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const { name } = entry;
      const kind = kindOf(entry, folder);
      if (kind === "none" || isGitName(name)) continue;
      if (name.includes("\ufffd")) {
        this.skipped.unreadable++;
        continue;
      }
      if (isSecretLikeName(name)) {
        this.skipped.secret++;
        continue;
      }
      const below = path === "" ? name : `${path}/${name}`;
      if (!this.#start.includeIgnored && rules.ignores(below, kind === "folder")) {
        this.skipped.ignored++;
        continue;
      }
      if (kind === "folder") folders.push(name);
      else if (!onFile({ path: below, name, folder })) return false;
    }
    for (const name of folders)
      if (!this.#enter(folder, name, path === "" ? name : `${path}/${name}`, rules, onFile, depth + 1)) return false;
    return true;
  }

  #enter(parent: OpenFolder, name: string, path: string, rules: IgnoreRules, onFile: OnFile, depth: number): boolean {
    let folder: OpenFolder | undefined;
    try {
      if (depth > MAX_DEPTH) throw new Error("too deep");
      folder = parent.enter(name);
      if (this.#hidden.has(folder.identity)) return true;
      if (folder.device !== parent.device && isKernelFileSystem(statfsSync(folder.at(".")).type)) return true;
      return this.#folder(folder, path, rules, onFile, depth);
    } catch {
      // It went, or may not be read.
      this.skipped.unreadable++;
      return true;
    } finally {
      if (folder !== undefined) closeSync(folder.fd);
    }
  }

  #rulesIn(folder: OpenFolder, path: string, above: IgnoreRules, entries: readonly Dirent[]): IgnoreRules {
    if (this.#start.includeIgnored || !entries.some(({ name }) => name === ".gitignore")) return above;
    try {
      const fd = folder.openFile(".gitignore");
      if (fd === undefined) return above;
      try {
        const { size } = fstatSync(fd);
        const bytes = Buffer.alloc(Math.min(size, MAX_IGNORE_BYTES));
        return above.with(path, bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, 0)));
      } finally {
        closeSync(fd);
      }
    } catch {
      return above;
    }
  }
}

/**
 * The files of a project as a thread sees them: each folder is opened from the one above it and links are not followed
 * (FE1, FE2); protected places and what is git's own are left out (FE4, FE7). All calls wait.
 */
import { type BigIntStats, closeSync, fstatSync, lstatSync, readdirSync, readSync, statfsSync } from "node:fs";
import { isGitName, isKernelFileSystem } from "../file-name/index.ts";
import { IgnoreRules, OpenFolder } from "../tree-walk/index.ts";
import type { TreeRoot } from "./note-message.ts";

const MAX_DEPTH = 128;
const MAX_IGNORE_BYTES = 256 * 1024;
/** Times that a file is read which changes while it is read. */
const TRIES = 3;

/** A file or link that was found, until the tree is asked for another. */
export interface FoundFile {
  readonly path: string;
  readonly name: string;
  readonly folder: OpenFolder;
  readonly stat: BigIntStats;
}

/** Called for what is found; `false` ends the walk. */
export type OnFound = (found: FoundFile) => boolean;

export class ProjectTree {
  readonly #hidden: ReadonlySet<string>;
  readonly #isOver: () => boolean;
  readonly #root: OpenFolder;
  /** The folders on the way to what was asked for last. */
  readonly #way: { readonly name: string; readonly folder: OpenFolder }[] = [];

  /** `isOver` is asked now and then. */
  constructor({ here, real, holding, hidden }: TreeRoot, isOver: () => boolean) {
    this.#hidden = new Set(hidden);
    this.#isOver = isOver;
    this.#root = new OpenFolder(`${here}/.`, real, holding === "checked");
  }

  /** What lies at a path; undefined: nothing, a folder, or what is not reached. Paths that are near come best in order. */
  at(path: string): FoundFile | undefined {
    const names = path.split("/");
    const name = names.pop() ?? "";
    if (![...names, name].every(isPlainName)) return undefined;
    const folder = this.#goTo(names);
    return folder && this.#look(folder, path, name);
  }

  /** Finds all files and links in a folder and below, in the order of their names; what `.gitignore` names is left out. */
  walk(path: string, onFound: OnFound): void {
    const names = path === "" ? [] : path.split("/");
    const folder = names.every(isPlainName) ? this.#goTo(names) : undefined;
    if (folder !== undefined) this.#walk(folder, path, new IgnoreRules(), onFound, 0);
  }

  /** The content of a file; undefined where it is no file any more, changes all the time, or has more than `atMost` bytes. */
  read(
    { folder, name }: FoundFile,
    atMost: number,
  ): { readonly content: Buffer; readonly stat: BigIntStats } | undefined {
    for (let left = TRIES; left > 0; left--) {
      const fd = openOrNothing(folder, name);
      if (fd === undefined) return undefined;
      try {
        const stat = fstatSync(fd, { bigint: true });
        if (!stat.isFile() || Number(stat.size) > atMost || this.#hidden.has(`${stat.dev}:${stat.ino}`))
          return undefined;
        const content = readAll(fd, Number(stat.size));
        const now = fstatSync(fd, { bigint: true });
        if (content !== undefined && statText(now) === statText(stat)) return { content, stat };
      } finally {
        closeSync(fd);
      }
    }
    return undefined;
  }

  close(): void {
    this.#leave(0);
    closeSync(this.#root.fd);
  }

  #goTo(names: readonly string[]): OpenFolder | undefined {
    let depth = 0;
    while (depth < names.length && this.#way[depth]?.name === names[depth]) depth++;
    this.#leave(depth);
    for (const name of names.slice(depth)) {
      const folder = this.#enter(this.#way.at(-1)?.folder ?? this.#root, name);
      if (folder === undefined) return undefined;
      this.#way.push({ name, folder });
    }
    return this.#way.at(-1)?.folder ?? this.#root;
  }

  #leave(depth: number): void {
    while (this.#way.length > depth) closeSync(this.#way.pop()!.folder.fd);
  }

  #enter(parent: OpenFolder, name: string): OpenFolder | undefined {
    let folder: OpenFolder;
    try {
      folder = parent.enter(name);
    } catch {
      return undefined;
    }
    const isReached =
      !this.#hidden.has(folder.identity) &&
      (folder.device === parent.device || !isKernelFileSystem(statfsSync(folder.at(".")).type));
    if (isReached) return folder;
    closeSync(folder.fd);
    return undefined;
  }

  #look(folder: OpenFolder, path: string, name: string): FoundFile | undefined {
    try {
      const stat = lstatSync(folder.at(name), { bigint: true });
      const isOne = (stat.isFile() || stat.isSymbolicLink()) && !this.#hidden.has(`${stat.dev}:${stat.ino}`);
      return isOne ? { path, name, folder, stat } : undefined;
    } catch {
      return undefined;
    }
  }

  #walk(folder: OpenFolder, path: string, above: IgnoreRules, onFound: OnFound, depth: number): boolean {
    if (this.#isOver()) return false;
    const names = namesIn(folder);
    const below = (name: string): string => (path === "" ? name : `${path}/${name}`);
    const rules = names.includes(".gitignore") ? this.#rulesIn(folder, path, above) : above;
    const folders: string[] = [];
    for (const name of names) {
      const found = this.#look(folder, below(name), name);
      if (found === undefined) folders.push(name);
      else if (!rules.ignores(found.path, false) && !onFound(found)) return false;
    }
    for (const name of folders) {
      if (depth === MAX_DEPTH || rules.ignores(below(name), true)) continue;
      const inner = this.#enter(folder, name);
      if (inner === undefined) continue;
      try {
        if (!this.#walk(inner, below(name), rules, onFound, depth + 1)) return false;
      } finally {
        closeSync(inner.fd);
      }
    }
    return true;
  }

  #rulesIn(folder: OpenFolder, path: string, above: IgnoreRules): IgnoreRules {
    const found = this.#look(folder, "", ".gitignore");
    const text = found && this.read(found, MAX_IGNORE_BYTES)?.content.toString();
    return text === undefined ? above : above.with(path, text);
  }
}

/** Tells a state of a file from any other, without reading it. */
export function statText({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(":");
}

function isPlainName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !isGitName(name);
}

function namesIn(folder: OpenFolder): readonly string[] {
  try {
    const names = readdirSync(folder.at("."));
    folder.confirm();
    return names.filter((name) => isPlainName(name) && !name.includes("\ufffd")).sort();
  } catch {
    return [];
  }
}

function openOrNothing(folder: OpenFolder, name: string): number | undefined {
  try {
    return folder.openFile(name);
  } catch {
    return undefined;
  }
}

/** Undefined: it has fewer bytes than that, or more. */
function readAll(fd: number, size: number): Buffer | undefined {
  const content = Buffer.allocUnsafeSlow(size + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < content.length; length += read)
    read = readSync(fd, content, length, content.length - length, null);
  return length === size ? content.subarray(0, size) : undefined;
}

/**
 * Folders that a thread holds open while it walks a tree: each is opened from the one above it and links are not followed,
 * so nothing leads out (FE1, FE2). All calls wait.
 */
import { closeSync, constants, type Dirent, fstatSync, lstatSync, openSync } from "node:fs";
import { join } from "node:path";

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;

/** A folder of the tree, open while it is walked. */
export class OpenFolder {
  readonly fd: number;
  readonly identity: string;
  readonly device: bigint;
  readonly #real: string;
  readonly #isChecked: boolean;
  readonly #parent: OpenFolder | undefined;

  constructor(opened: string, real: string, isChecked: boolean, parent?: OpenFolder) {
    this.fd = openSync(opened, O_RDONLY | O_DIRECTORY | (parent === undefined ? 0 : O_NOFOLLOW));
    const { dev, ino } = fstatSync(this.fd, { bigint: true });
    this.identity = `${dev}:${ino}`;
    this.device = dev;
    this.#real = real;
    this.#isChecked = isChecked;
    this.#parent = parent;
    try {
      this.confirm();
    } catch (error) {
      closeSync(this.fd);
      throw error;
    }
  }

  at(name: string): string {
    return this.#isChecked ? join(this.#real, name) : `/proc/self/fd/${this.fd}/${name}`;
  }

  enter(name: string): OpenFolder {
    return new OpenFolder(this.at(name), join(this.#real, name), this.#isChecked, this);
  }

  /** Opens a regular file for reading; undefined where it is none. */
  openFile(name: string): number | undefined {
    const fd = openSync(this.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    try {
      if (!this.#isChecked) return fd;
      const [opened, named] = [fstatSync(fd, { bigint: true }), lstatSync(this.at(name), { bigint: true })];
      this.confirm();
      if (opened.ino === named.ino && opened.dev === named.dev) return fd;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    closeSync(fd);
    return undefined;
  }

  /** Where names are reached by path: whether every folder of the way is the one that was opened. */
  confirm(): void {
    if (!this.#isChecked) return;
    const { dev, ino } = lstatSync(this.#real, { bigint: true });
    if (`${dev}:${ino}` !== this.identity) throw new Error("replaced meanwhile");
    this.#parent?.confirm();
  }
}

/** What an entry of a folder is, where a walk reads it. */
export function kindOf(entry: Dirent, folder: OpenFolder): "file" | "folder" | "none" {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  if (
    entry.isSymbolicLink() ||
    entry.isFIFO() ||
    entry.isSocket() ||
    entry.isBlockDevice() ||
    entry.isCharacterDevice()
  )
    return "none";
  // Some file systems do not tell.
  const stat = lstatSync(folder.at(entry.name), { throwIfNoEntry: false });
  if (stat?.isFile() === true) return "file";
  return stat?.isDirectory() === true ? "folder" : "none";
}

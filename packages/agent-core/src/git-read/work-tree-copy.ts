import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A folder of ours with copies of some files of a work tree, at their paths. */
export class WorkTreeCopy {
  readonly folder: string;
  readonly #made = new Map<string, Promise<void>>();

  /** `folder` is empty. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** False: a folder lies at its path, or a file where one of its folders should be. */
  async putFile(path: string, content: Buffer, isExecutable: boolean): Promise<boolean> {
    try {
      await writeFile(await this.#placeOf(path), content, { flag: "wx", mode: isExecutable ? 0o700 : 0o600 });
      return true;
    } catch (error) {
      if (!["EEXIST", "ENOTDIR", "EISDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
      return false;
    }
  }

  /**
   * Puts links, once all files are there, and those that lie deeper first: nothing is ever written through a link. One
   * for which something else lies in the way is left out.
   */
  async putLinks(links: readonly (readonly [path: string, target: Buffer])[]): Promise<void> {
    for (const [path, target] of links.toSorted(([one], [other]) => (one < other ? 1 : -1)))
      await this.#placeOf(path)
        .then((place) => symlink(target, place))
        .catch(() => {});
  }

  /** Where the copy of a file lies; its folder exists then. */
  async #placeOf(path: string): Promise<string> {
    const file = join(this.folder, path);
    await this.#makeFolder(dirname(file));
    return file;
  }

  #makeFolder(folder: string): Promise<void> {
    if (folder === this.folder) return Promise.resolve();
    let made = this.#made.get(folder);
    if (made === undefined) {
      made = this.#makeFolder(dirname(folder)).then(() => mkdir(folder));
      this.#made.set(folder, made);
    }
    return made;
  }
}

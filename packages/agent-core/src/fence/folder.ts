/**
 * How the fence holds a folder while it looks into it.
 *
 * - `descriptor` (Linux): the folder is open, and names in it are reached through `/proc/self/fd/<n>/<name>`, which the
 *   kernel resolves from the open folder (`openat`). Whatever happens to its path meanwhile, it stays the same folder.
 * - `checked` (elsewhere): names are reached by path, and who each folder of the way is, is compared before and after.
 */
import { type BigIntStats, close, closeSync, constants, fstat, lstat, open, promises, readlink } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { FenceRefusal } from "./fence-refusal.ts";
import { type Identity, identityOf } from "./identity.ts";

const openFile = promisify(open);
const statOpen = promisify(fstat) as (fd: number, options: { bigint: true }) => Promise<BigIntStats>;
const statPath = promisify(lstat) as (path: string, options: { bigint: true }) => Promise<BigIntStats>;
const readLink = promisify(readlink) as (path: string, encoding: "buffer") => Promise<Buffer>;

export type Holding = "descriptor" | "checked";

/** Of Linux; Node names no constant for it. It opens nothing of what it names: a fifo or a device does not notice. */
const O_PATH = 0o10_000_000;
const { O_DIRECTORY, O_NOFOLLOW } = constants;

/** What lies under a name of a folder: `fd` is -1 where entries are not held. */
export interface Entry {
  readonly fd: number;
  readonly stat: BigIntStats;
}

/** How this machine can hold folders. */
export function holdingOfPlatform(platform: NodeJS.Platform = process.platform): Holding {
  return platform === "linux" ? "descriptor" : "checked";
}

/** A folder between opening and closing. */
export class Folder {
  readonly holding: Holding;
  readonly identity: Identity;
  readonly stat: BigIntStats;
  /** Its path without links, as it was when it was opened. */
  readonly path: string;
  readonly #fd: number;
  readonly #parent: Folder | undefined;

  private constructor(holding: Holding, { fd, stat }: Entry, path: string, parent: Folder | undefined) {
    this.holding = holding;
    this.identity = identityOf(stat);
    this.stat = stat;
    this.path = path;
    this.#fd = fd;
    this.#parent = parent;
  }

  /**
   * Opens the folder at a real path.
   * @throws FenceRefusal fence.changed where a link leads there now
   */
  static async openRoot(path: string, holding: Holding): Promise<Folder> {
    const changed = (): never => {
      throw new FenceRefusal("fence.changed", "a link leads to the project's folder, which was none before");
    };
    if (holding === "checked") {
      const [stat, real] = [await statPath(path, { bigint: true }), await promises.realpath(path)];
      if (!stat.isDirectory() || real !== path) changed();
      return new Folder(holding, { fd: -1, stat }, path, undefined);
    }
    const fd = await openFile(path, O_PATH | O_DIRECTORY | O_NOFOLLOW);
    try {
      const [stat, real] = await Promise.all([
        statOpen(fd, { bigint: true }),
        readLink(`/proc/self/fd/${fd}`, "buffer"),
      ]);
      if (real.toString() !== path) changed();
      return new Folder(holding, { fd, stat }, path, undefined);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  /** A path for calls of the operating system that leads to this folder. */
  get here(): string {
    return this.holding === "descriptor" ? `/proc/self/fd/${this.#fd}` : this.path;
  }

  /** A path for calls of the operating system that leads to `name` in this folder. `name` is one component. */
  at(name: string): string {
    return this.holding === "descriptor" ? `/proc/self/fd/${this.#fd}/${name}` : join(this.path, name);
  }

  /** What lies under a name, links not followed. The caller closes it, or makes a folder of it. */
  async look(name: string): Promise<Entry> {
    if (this.holding === "checked") {
      const stat = await statPath(this.at(name), { bigint: true });
      await this.confirm();
      return { fd: -1, stat };
    }
    const fd = await openFile(this.at(name), O_PATH | O_NOFOLLOW);
    try {
      return { fd, stat: await statOpen(fd, { bigint: true }) };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  /** The folder that `look` found under this name; closing it closes the entry. */
  enter(name: string, entry: Entry): Folder {
    return new Folder(this.holding, entry, join(this.path, name), this);
  }

  readLink(name: string): Promise<Buffer> {
    return readLink(this.at(name), "buffer");
  }

  /**
   * Compares every folder of the way with what it was. Says nothing where the folder is held by its descriptor.
   * @throws FenceRefusal fence.changed
   */
  async confirm(): Promise<void> {
    if (this.holding === "descriptor") return;
    const stat = await statPath(this.path, { bigint: true });
    if (identityOf(stat) !== this.identity || !stat.isDirectory())
      throw new FenceRefusal("fence.changed", "a folder on the way was replaced meanwhile");
    await this.#parent?.confirm();
  }

  /** At once: behind a descriptor that opened nothing is nothing to wait for. */
  close(): void {
    if (this.#fd !== -1) closeSync(this.#fd);
  }
}

/**
 * Without waiting: the system frees the content of a file that was replaced or removed while its last descriptor is
 * closed, which takes the disk, and no one needs it.
 */
export function closeEntry({ fd }: Entry): void {
  if (fd !== -1) close(fd, () => {});
}

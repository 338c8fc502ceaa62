/**
 * What files held before they were changed, each content once, packed, in a file that its digest names. They are the
 * owner's only. Which of them are needed, their rows tell.
 */
import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import { KeyedLock } from "./keyed-lock.ts";

const pack = promisify(zstdCompress);
const unpack = promisify(zstdDecompress);

const DIGEST = /^[0-9a-f]{64}$/;

/** SHA-256 in hexadecimal digits. */
export function digestOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

export class ImageFiles {
  readonly #folder: string;
  readonly #mostBytes: number;
  readonly #lock = new KeyedLock();
  /** Images that a change is about to name. */
  readonly #pinned = new Map<string, number>();

  /** `mostBytes`: of one content. */
  constructor(folder: string, mostBytes: number) {
    this.#folder = folder;
    this.#mostBytes = mostBytes;
  }

  /**
   * Keeps a content; on the disk when this resolves, with how many bytes it takes there. It stays at least until
   * `release`.
   * @throws Error of the operating system, for example without room
   */
  async keep(digest: string, content: Uint8Array): Promise<number> {
    this.#pinned.set(digest, (this.#pinned.get(digest) ?? 0) + 1);
    try {
      return await this.#lock.run(digest, async () => {
        const path = this.#path(digest);
        const known = await stat(path).catch(() => undefined);
        if (known !== undefined) return known.size;
        const packed = await pack(content);
        await makeFolder(this.#folder);
        return writeDurably(await makeFolder(join(this.#folder, digest.slice(0, 2))), path, packed);
      });
    } catch (error) {
      this.release(digest);
      throw error;
    }
  }

  /** A change names it, or none will. */
  release(digest: string): void {
    const count = (this.#pinned.get(digest) ?? 0) - 1;
    if (count > 0) this.#pinned.set(digest, count);
    else this.#pinned.delete(digest);
  }

  isPinned(digest: string): boolean {
    return this.#pinned.has(digest);
  }

  /** Undefined where it is not there any more, or is not what it was. */
  async read(digest: string): Promise<Buffer | undefined> {
    try {
      const content = await unpack(await readFile(this.#path(digest)), { maxOutputLength: this.#mostBytes });
      return digestOf(content) === digest ? content : undefined;
    } catch {
      return undefined;
    }
  }

  /** Removes an image, unless a row names it, or a change is about to. */
  async remove(digest: string, isNamed: (digest: string) => Promise<boolean>): Promise<void> {
    await this.#lock.run(digest, async () => {
      // Once it is held here, no change can begin to name it.
      if (this.#pinned.has(digest) || (await isNamed(digest)) || this.#pinned.has(digest)) return;
      await unlink(this.#path(digest)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
      });
    });
  }

  /**
   * Removes what a kill left: files older than `before`, epoch milliseconds, that are no image or that no row names.
   */
  async removeLeftovers(before: number, isNamed: (digest: string) => Promise<boolean>): Promise<void> {
    for (const group of await readdir(this.#folder).catch(() => [])) {
      for (const name of await readdir(join(this.#folder, group)).catch(() => [])) {
        const path = join(this.#folder, group, name);
        const found = await stat(path).catch(() => undefined);
        if (found === undefined || !found.isFile() || found.mtimeMs >= before) continue;
        if (!DIGEST.test(name)) await unlink(path).catch(() => undefined);
        else await this.remove(name, isNamed);
      }
    }
  }

  #path(digest: string): string {
    return join(this.#folder, digest.slice(0, 2), digest);
  }
}

/** Makes a folder in one that is there, durably. */
async function makeFolder(path: string): Promise<string> {
  try {
    await mkdir(path, { mode: 0o700 });
    await syncFolder(dirname(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return path;
}

async function writeDurably(folder: string, path: string, content: Uint8Array): Promise<number> {
  const temporary = join(folder, `${randomUUID()}.tmp`);
  const file = await open(temporary, "wx", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
  await syncFolder(folder);
  return content.byteLength;
}

async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder, "r");
    await handle.sync();
  } finally {
    await handle?.close();
  }
}

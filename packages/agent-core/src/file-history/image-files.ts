/**
 * What files held before they were changed, each content once, packed, in a file that its digest names. They are the
 * owner's only. Which of them are needed, their rows tell.
 */
import { hash, randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { zstdCompress, zstdCompressSync, zstdDecompress } from "node:zlib";
import { inParallel } from "../collection/index.ts";
import { KeyedLock } from "./keyed-lock.ts";

const packLarge = promisify(zstdCompress);
const unpack = promisify(zstdDecompress);

const DIGEST = /^[0-9a-f]{64}$/;

/** Bytes of a content that is packed at once, in less time than another thread would take to begin: 0.1 ms. */
const SMALL_BYTES = 65_536;
/** The folders in the folder of images: the first two digits of their digests. */
const GROUPS = Array.from({ length: 256 }, (_, group) => group.toString(16).padStart(2, "0"));

/** SHA-256 in hexadecimal digits. */
export function digestOf(content: Uint8Array): string {
  return hash("sha256", content, "hex");
}

export class ImageFiles {
  readonly #folder: string;
  readonly #mostBytes: number;
  readonly #lock = new KeyedLock();
  /** Images that a change is about to name. */
  readonly #pinned = new Map<string, number>();
  #folders: Promise<void> | undefined;

  /** `mostBytes`: of one content. */
  constructor(folder: string, mostBytes: number) {
    this.#folder = folder;
    this.#mostBytes = mostBytes;
  }

  /**
   * Keeps a content; on the disk when this resolves, with how many bytes it takes there. It stays at least until
   * `release`. What lies there without a row that names it may be torn by a crash, and is written anew.
   * @throws Error of the operating system, for example without room
   */
  async keep(digest: string, content: Uint8Array, isNamed: (digest: string) => Promise<boolean>): Promise<number> {
    this.#pinned.set(digest, (this.#pinned.get(digest) ?? 0) + 1);
    try {
      return await this.#lock.run(digest, async () => {
        const path = this.#path(digest);
        const looked = stat(path).catch(() => undefined);
        const packed = content.byteLength <= SMALL_BYTES ? zstdCompressSync(content) : await packLarge(content);
        const known = await looked;
        if (known !== undefined && (await isNamed(digest))) return known.size;
        await this.#write(path, packed);
        return packed.byteLength;
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

  async #write(path: string, packed: Uint8Array): Promise<void> {
    const isNew = this.#folders === undefined;
    this.#folders ??= makeFolders(this.#folder);
    try {
      await this.#folders;
      await writeDurably(path, packed);
    } catch (error) {
      this.#folders = undefined;
      // Somebody may have removed a folder since they were made.
      if (isNew || (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      await this.#write(path, packed);
    }
  }
}

/** Makes the folder of images with all in it, durably: once, so that no change waits for it. */
async function makeFolders(path: string): Promise<void> {
  await makeFolder(path);
  const there = new Set(await readdir(path));
  const missing = GROUPS.filter((group) => !there.has(group));
  await inParallel(missing, 4, (group) => mkdir(join(path, group), { mode: 0o700 }));
  if (missing.length > 0) await syncFolder(path);
}

/** Makes a folder in one that is there, durably. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
    await syncFolder(dirname(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** File and name are forced to the disk together: until then, nothing relies on the name. */
async function writeDurably(path: string, content: Uint8Array): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `${randomUUID()}.tmp`);
  const file = await open(temporary, "wx", 0o600);
  try {
    await file.writeFile(content);
    await rename(temporary, path);
    await Promise.all([file.sync().then(() => file.close()), syncFolder(folder)]);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
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

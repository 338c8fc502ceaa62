import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, open, opendir } from "node:fs/promises";
import { join } from "node:path";
import { isGitName } from "../file-name/index.ts";
import { FenceRefusal } from "./fence-refusal.ts";
import type { Folder } from "./folder.ts";
import { type Identity, identityOf } from "./identity.ts";
import { below, type Project, type ProjectRegistry, type ReachableProject } from "./project.ts";
import type { ProtectedPlaces } from "./protected-places.ts";
import { type Replacement, removeFile, replaceFile } from "./replace-file.ts";
import type { Walked } from "./walk.ts";

/** What somebody wants to do: `run` is to start a program in a folder. */
export type Access = "read" | "list" | "write" | "delete" | "run";

/** A name in a folder. `readable` is false where the name is not valid UTF-8: `name` cannot be opened then. */
export interface ListedEntry {
  readonly name: string;
  readonly kind: "folder" | "file" | "link" | "other";
  readonly readable: boolean;
}

export interface Listing {
  readonly entries: readonly ListedEntry[];
  /** There are more. */
  readonly truncated: boolean;
}

interface LocatedOptions {
  readonly access: Access;
  readonly named: ReachableProject;
  readonly places: ProtectedPlaces;
  readonly projects: ProjectRegistry;
  /** Names path and project in an error. */
  readonly refuse: (error: unknown) => FenceRefusal;
}

/** What a path led to. It stays held until it is closed; all it does is done to what was found, or refused. */
export class Located {
  /** The project whose rights count (FE5). */
  readonly project: Project;
  /** The project that the path was looked for in. */
  readonly named: ReachableProject;
  /** Below the root of `project`, without links; blank for the root itself. */
  readonly path: string;
  /** Below the root of `named`, without links; blank for the root itself. */
  readonly pathInNamed: string;
  /** The real path, for programs and for operators: never for the model. */
  readonly absolute: string;
  readonly kind: "file" | "folder" | "link" | "missing";
  /** Of what was found; undefined where it is missing. */
  readonly stat: BigIntStats | undefined;
  readonly #walked: Walked;
  readonly #options: LocatedOptions;
  #isClosed = false;

  private constructor(walked: Walked, kind: Located["kind"], options: LocatedOptions) {
    const { trail, name, entry, missing } = walked;
    this.#walked = walked;
    this.#options = options;
    this.kind = kind;
    this.stat = kind === "folder" ? trail.folder.stat : entry?.stat;
    this.named = options.named;
    this.project = trail.deciding.find((project) => project === options.named) ?? trail.deciding[0]!;
    this.pathInNamed = trail.to(...missing, ...(name === undefined ? [] : [name])).join("/");
    this.absolute = join(trail.folder.path, ...missing, name ?? "");
    this.path = below(this.project.root ?? "", this.absolute) ?? this.pathInNamed;
  }

  /** Decides whether what a walk found may be used so. @throws FenceRefusal without path and project */
  static async of(walked: Walked, options: LocatedOptions): Promise<Located> {
    const { trail, name, entry, missing } = walked;
    const { access, places } = options;
    checkRights(trail.deciding, access, name === undefined ? trail.to() : trail.to(...missing, name));
    if (
      entry?.stat.isFile() === true &&
      entry.stat.nlink > 1n &&
      (await places.sharedFiles()).has(identityOf(entry.stat))
    )
      throw new FenceRefusal("fence.missing", "it does not exist");
    const isFolder = name === undefined;
    if ((access === "list" || access === "run") !== isFolder)
      throw isFolder
        ? new FenceRefusal("fence.not-a-file", "it is a folder")
        : new FenceRefusal("fence.not-a-folder", "it is no folder");
    if (entry === undefined) return new Located(walked, isFolder ? "folder" : "missing", options);
    if (entry.stat.isSymbolicLink()) return new Located(walked, "link", options);
    if (!entry.stat.isFile()) throw new FenceRefusal("fence.not-a-file", "it is not a regular file");
    return new Located(walked, "file", options);
  }

  /**
   * A path for system calls of this process and for the working folder of one it starts, which leads to the folder that
   * was found, or that holds what was found, for as long as it is held.
   */
  get here(): string {
    return this.#folder.here;
  }

  /** Opens the file for reading: the very one that was found. */
  openFile(): Promise<FileHandle> {
    return this.#guarded(async () => (await this.#open()).handle);
  }

  /** The whole file. @throws FenceRefusal fence.too-large */
  async read(atMost: number): Promise<Buffer> {
    return this.#guarded(async () => {
      const { handle, size } = await this.#open();
      try {
        const tooLarge = (): FenceRefusal =>
          new FenceRefusal("fence.too-large", `it has more than ${atMost.toLocaleString("en")} bytes`);
        if (size > atMost) throw tooLarge();
        // It may grow meanwhile, and some files do not know their size.
        const chunks: Buffer[] = [];
        let length = 0;
        for (;;) {
          const chunk = Buffer.allocUnsafe(Math.max(4_096, Math.min(size + 1 - length, 1 << 20)));
          const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
          length += bytesRead;
          if (length > atMost) throw tooLarge();
          chunks.push(chunk.subarray(0, bytesRead));
          // As long as it says it is, and no more came though there was room.
          const isWhole = length === size && bytesRead < chunk.length;
          if (bytesRead === 0 || isWhole) return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length);
        }
      } finally {
        await handle.close();
      }
    });
  }

  /** What of a tree below is not reached: protected places, their files under other names, projects without tools. */
  async hiddenBelow(): Promise<readonly Identity[]> {
    const { places, projects } = this.#options;
    const [{ places: folders }, files] = await Promise.all([places.look(), places.sharedFiles()]);
    const closed = projects.all.flatMap(({ fs, identity }) => (fs || identity === undefined ? [] : [identity]));
    return [...folders, ...files, ...closed];
  }

  /** The names in the folder, in no order. Protected places are not among them. */
  list(atMost: number): Promise<Listing> {
    return this.#guarded(async () => {
      const { names } = await this.#options.places.look();
      const hidden = names.get(this.#folder.identity);
      const directory = await opendir(this.#folder.at("."), { encoding: "buffer" as BufferEncoding });
      const entries: ListedEntry[] = [];
      let truncated = false;
      for await (const entry of directory) {
        const bytes = entry.name as unknown as Buffer;
        const name = bytes.toString();
        if (hidden?.has(name) === true) continue;
        if (entries.length === atMost) {
          truncated = true;
          break;
        }
        const kind = entry.isDirectory()
          ? "folder"
          : entry.isFile()
            ? "file"
            : entry.isSymbolicLink()
              ? "link"
              : "other";
        entries.push({ name, kind, readable: Buffer.from(name).equals(bytes) });
      }
      await this.#folder.confirm();
      return { entries, truncated };
    });
  }

  /**
   * Puts a file with this content in the place of what was found, or where nothing was, and makes the folders that are
   * missing. It is durable when this resolves (FE3).
   * @throws FenceRefusal fence.changed where something else lies there by now
   */
  replace(content: Uint8Array, options: Omit<Replacement, "content"> = {}): Promise<BigIntStats> {
    return this.#guarded(() => replaceFile(this.#walked, { content, ...options }));
  }

  /** Removes the file, or the link itself. @throws FenceRefusal fence.changed */
  remove(): Promise<void> {
    return this.#guarded(() => removeFile(this.#walked));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#walked.trail.close(this.#walked.entry);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #open(): Promise<{ readonly handle: FileHandle; readonly size: number }> {
    const { name, entry } = this.#walked;
    if (this.kind !== "file") throw new FenceRefusal("fence.missing", "it does not exist");
    const { O_RDONLY, O_NONBLOCK, O_NOCTTY, O_NOFOLLOW } = constants;
    // A descriptor of the file itself is reached through a link of the kernel's.
    const isHeld = entry!.fd !== -1;
    const path = isHeld ? `/proc/self/fd/${entry!.fd}` : this.#folder.at(name!);
    const handle = await open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | (isHeld ? 0 : O_NOFOLLOW));
    try {
      const stat = await handle.stat({ bigint: true });
      if (identityOf(stat) !== identityOf(entry!.stat)) throw changed();
      await this.#folder.confirm();
      return { handle, size: Number(stat.size) };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  get #folder(): Folder {
    return this.#walked.trail.folder;
  }

  async #guarded<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw this.#options.refuse(error);
    }
  }
}

function changed(): FenceRefusal {
  return new FenceRefusal("fence.changed", "another process changed it meanwhile");
}

function checkRights(deciding: readonly Project[], access: Access, components: readonly string[]): void {
  const hidden = deciding.find(({ fs }) => !fs);
  if (hidden !== undefined) throw new FenceRefusal("fence.missing", `no file tool reaches project ${hidden.name}`);
  if (access !== "write" && access !== "delete") return;
  const readOnly = deciding.find(({ write }) => !write);
  if (readOnly !== undefined) throw new FenceRefusal("fence.read-only", `project ${readOnly.name} is read-only`);
  if (components.some(isGitName)) throw new FenceRefusal("fence.denied", "git's own files are not written");
  const kept = access === "delete" ? deciding.find(({ noDelete }) => noDelete) : undefined;
  if (kept !== undefined)
    throw new FenceRefusal("fence.deletes-forbidden", `nothing of project ${kept.name} may be deleted`);
}

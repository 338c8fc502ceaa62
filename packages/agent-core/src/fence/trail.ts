import { FenceRefusal } from "./fence-refusal.ts";
import { closeEntry, type Entry, type Folder } from "./folder.ts";
import type { Project, ProjectRegistry } from "./project.ts";

const MAX_DEPTH = 128;

interface Level {
  readonly folder: Folder;
  readonly name: string;
  readonly deciding: readonly Project[];
}

/** The open folders from the root of a project to where a walk is. */
export class Trail {
  readonly #projects: ProjectRegistry;
  readonly #levels: Level[] = [];

  constructor(projects: ProjectRegistry, root: Folder, named: Project) {
    this.#projects = projects;
    this.#push(root, "", [named]);
  }

  get folder(): Folder {
    return this.#last.folder;
  }

  /** The projects that decide what may be done here: those of the deepest root (FE5). */
  get deciding(): readonly Project[] {
    return this.#last.deciding;
  }

  /** The components from the root to a name here. */
  to(...names: readonly string[]): readonly string[] {
    return [...this.#levels.slice(1).map(({ name }) => name), ...names];
  }

  enter(name: string, entry: Entry): void {
    if (this.#levels.length > MAX_DEPTH) throw new FenceRefusal("fence.bad-path", "it lies too deep");
    this.#push(this.folder.enter(name, entry), name, this.deciding);
  }

  /** To the folder above. @throws FenceRefusal fence.outside at the root */
  leave(): void {
    if (this.#levels.length === 1) throw new FenceRefusal("fence.outside", "it leads out of the project");
    this.#levels.pop()!.folder.close();
  }

  toRoot(): void {
    while (this.#levels.length > 1) this.leave();
  }

  /** Closes every folder, and the entry that was found in the last. */
  close(entry?: Entry): void {
    if (entry !== undefined) closeEntry(entry);
    for (const { folder } of this.#levels.splice(0)) folder.close();
  }

  get #last(): Level {
    return this.#levels.at(-1)!;
  }

  #push(folder: Folder, name: string, above: readonly Project[]): void {
    const rooted = this.#projects.rootedAt(folder.identity, folder.path);
    this.#levels.push({ folder, name, deciding: rooted.length === 0 ? above : rooted });
  }
}

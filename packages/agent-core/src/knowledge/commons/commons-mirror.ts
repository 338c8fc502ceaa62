/**
 * What the commons hold, as rows that searches and turns find like the others (K26). The files are the truth; the rows follow
 * them, and are gone where the commons are not read any more. Where the memories are those of the commons, what is written
 * here goes there with each look.
 */
import { stat } from "node:fs/promises";
import type { EventBus } from "../../bus/index.ts";
import type { Clock } from "../../clock/index.ts";
import type { Statement } from "../../database/index.ts";
import { COMMONS } from "../chunk.ts";
import type { KnowledgeStore } from "../knowledge-store.ts";
import { listShared, readShared, removeStaged, type SharedFile, stagedTag } from "./commons-files.ts";
import type { CommonsPlace } from "./commons-place.ts";
import { commonsStatements } from "./commons-statements.ts";
import { type KnownFile, takeFile } from "./take-file.ts";
import { writeChanges } from "./write-changes.ts";

/** How often the folder is looked at. */
const LOOK_MS = 2_000;
/** Files that are read, and rows that are written, together. */
const BITE = 50;
/** Rounds in which another process may write about the same just before this one. */
const MOST_TRIES = 5;
/** How long another process may take to write a file. */
const STAGED_MS = 600_000;

export interface CommonsMirrorOptions {
  readonly store: Pick<KnowledgeStore, "alone" | "read" | "index">;
  /** Whether the own store has been made: without it and without commons none is. */
  readonly exists: () => boolean;
  /** Read at each look. */
  readonly place: () => CommonsPlace;
  /** Makes a folder with those above it. */
  readonly makeFolder: (path: string) => void;
  readonly clock: Pick<Clock, "now">;
  readonly bus: EventBus;
  /** Hears of commons that cannot be read or written. */
  readonly onFailure: (error: unknown) => void;
}

/** Follows the commons. */
export class CommonsMirror {
  readonly #options: CommonsMirrorOptions;
  readonly #sql = commonsStatements();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #seen: string | undefined;
  /** Something may be left to be written. */
  #isDue = true;
  #syncing: Promise<void> = Promise.resolve();
  /** Not begun yet, so that it does what is asked for meanwhile too. */
  readonly #waiting = new Map<"sync" | "write", Promise<boolean>>();
  #failed = false;
  #isSwept = false;

  constructor(options: CommonsMirrorOptions) {
    this.#options = options;
  }

  /** Looks whether something changed, if it is time to. */
  tick(): void {
    const now = this.#options.clock.now();
    if (now - this.#lookedAt < LOOK_MS) return;
    this.#lookedAt = now;
    void this.#look();
  }

  /** Something was written to the store. */
  noteWrite(): void {
    this.#isDue = true;
    // Commons that fail are tried again with the next look.
    if (this.#options.place().isShared && !this.#failed) this.#writeOut().catch(this.#fail);
  }

  /** Reads and writes what changed. @throws Error where the folder or the store cannot be used; what was there stays */
  async sync(): Promise<void> {
    await this.#oneAtATime("sync", () => this.#sync());
  }

  /**
   * Writes what changed, where the memories are those of the commons. On the disk when it resolves.
   * @throws Error where the folder or the store cannot be used; it is tried again
   */
  async writeOut(): Promise<void> {
    if (!(await this.#writeOut())) throw new Error("other processes write about the same all the time");
  }

  #writeOut(): Promise<boolean> {
    return this.#oneAtATime("write", async () => {
      const { place, exists } = this.#options;
      if (!place().isShared || !exists()) return true;
      await this.#sweep(place().folder);
      return this.#write();
    });
  }

  #oneAtATime(kind: "sync" | "write", work: () => Promise<boolean>): Promise<boolean> {
    const waiting = this.#waiting.get(kind);
    if (waiting !== undefined) return waiting;
    const done = this.#syncing.then(() => {
      this.#waiting.delete(kind);
      return work();
    });
    this.#waiting.set(kind, done);
    this.#syncing = done.then(
      () => {},
      () => {},
    );
    return done;
  }

  async #look(): Promise<void> {
    try {
      const seen = await this.#stamp();
      const isDue = this.#isDue && this.#options.place().isShared;
      if (seen === this.#seen && !isDue) return;
      await this.sync();
      this.#seen = seen;
      this.#failed = false;
    } catch (error) {
      this.#fail(error);
    }
  }

  readonly #fail = (error: unknown): void => {
    if (!this.#failed) this.#options.onFailure(error);
    this.#failed = true;
  };

  /** A file that is replaced or removed changes its folder. */
  async #stamp(): Promise<string> {
    const { folder, isShared } = this.#options.place();
    if (folder === "") return "";
    const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    return `${folder}\0${isShared}\0${found === undefined ? "" : `${found.ino}:${found.mtimeMs}`}`;
  }

  async #sync(): Promise<boolean> {
    await this.#read();
    if (!this.#options.place().isShared || !this.#options.exists()) return true;
    return this.#write();
  }

  async #read(): Promise<void> {
    const { exists, place } = this.#options;
    const { folder, isShared } = place();
    const files = folder === "" ? [] : await listShared(folder);
    if ((files === undefined || files.length === 0) && !exists()) return;
    const known = await this.#known(isShared);
    // A folder that is gone says nothing about what was in it; what it held goes on serving where it is all there is.
    if (files === undefined && isShared && known.size > 0) throw new Error(`there is no folder ${folder} any more`);
    await this.#sweep(folder);
    await this.#follow({ folder, isShared, files: files ?? [], known });
  }

  /** False: other processes wrote about the same each time; it is tried again. */
  async #write(): Promise<boolean> {
    const { store, place, makeFolder } = this.#options;
    this.#isDue = false;
    try {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        if (await writeChanges({ store, folder: place().folder, makeFolder })) return true;
        await this.#read();
      }
      this.#isDue = true;
      return false;
    } catch (error) {
      this.#isDue = true;
      throw error;
    }
  }

  /** What a former process left half written is gone before anything is said to be forgotten. */
  async #sweep(folder: string): Promise<void> {
    if (folder === "" || this.#isSwept) return;
    const { store, clock } = this.#options;
    const tag = await store.read(async (db) => stagedTag(db));
    await removeStaged(folder, tag, clock.now() - STAGED_MS);
    this.#isSwept = true;
  }

  async #follow({ folder, isShared, files, known }: Following): Promise<void> {
    const { store, bus } = this.#options;
    const there = new Set(files.map(({ name }) => name));
    const gone = [...known.values()].filter(({ name }) => !there.has(name));
    const changed = files.filter(({ name, version }) => known.get(name)?.version !== version);
    for (let at = 0; at < changed.length; at += BITE) {
      const bite = changed.slice(at, at + BITE);
      const read = await Promise.all(bite.map(async (file) => ({ ...file, ...(await readShared(folder, file.name)) })));
      await this.#take(
        read.map((file) => ({ ...file, known: known.get(file.name) })),
        isShared,
      );
    }
    for (let at = 0; at < gone.length; at += BITE)
      await this.#take(
        gone.slice(at, at + BITE).map((one) => ({ ...one, digest: "", known: one, isGone: true })),
        isShared,
      );
    if (changed.length + gone.length === 0) return;
    await store.index.clean();
    bus.publish("knowledge.changed", { action: "commons" });
  }

  async #known(isShared: boolean): Promise<ReadonlyMap<string, KnownFile>> {
    const bound = this.#sql.known.bind({ namespace: isShared ? "" : COMMONS });
    const rows = await this.#options.store.read((db) => db.read(bound, "long"));
    const known = new Map<string, { name: string; version: string; chunks: number[]; writing: Set<string> }>();
    for (const [file, version, chunk, writing] of rows) {
      const name = String(file);
      const one = known.get(name) ?? { name, version: "", chunks: [], writing: new Set() };
      // Blank where it was to be written and is not known to be.
      if (version !== "") one.version = String(version);
      if (writing !== "") one.writing.add(String(writing));
      one.chunks.push(Number(chunk));
      known.set(name, one);
    }
    return known;
  }

  async #take(files: readonly Parameters<typeof takeFile>[1][], isShared: boolean): Promise<void> {
    await this.#options.store.alone(async (db) => {
      const statements: Statement[] = [];
      for (const file of files) statements.push(...(await takeFile(db, file, isShared)));
      if (statements.length > 0) await db.commit({ label: "knowledge.commons", statements, overwrite: true });
    });
  }
}

interface Following {
  readonly folder: string;
  readonly isShared: boolean;
  readonly files: readonly SharedFile[];
  readonly known: ReadonlyMap<string, KnownFile>;
}

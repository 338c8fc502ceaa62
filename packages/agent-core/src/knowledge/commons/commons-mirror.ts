/**
 * What the commons hold, as rows beside the own ones, so that searches and turns find them alike (K26). The files are the truth;
 * the rows follow them, and are gone where the commons are not read any more.
 */
import { stat } from "node:fs/promises";
import type { EventBus } from "../../bus/index.ts";
import type { Clock } from "../../clock/index.ts";
import type { Database, Statement } from "../../database/index.ts";
import { trustNumber } from "../chunk-statements.ts";
import type { KnowledgeStore } from "../knowledge-store.ts";
import { indexedText } from "../search-words.ts";
import { listShared, readShared, type SharedFile, type SharedMemory } from "./commons-files.ts";
import { commonsStatements } from "./commons-statements.ts";

/** How often the folder is looked at. */
const LOOK_MS = 2_000;
/** Files that are read, and rows that are written, together. */
const BITE = 50;

export interface CommonsMirrorOptions {
  readonly store: Pick<KnowledgeStore, "alone" | "index">;
  /** Whether the own store has been made: without it and without commons none is. */
  readonly exists: () => boolean;
  /** The folder that is read; blank: none. Read at each look. */
  readonly folder: () => string;
  readonly clock: Pick<Clock, "now">;
  readonly bus: EventBus;
  /** Hears of commons that cannot be read. */
  readonly onFailure: (error: unknown) => void;
}

/** Follows the commons. */
export class CommonsMirror {
  readonly #options: CommonsMirrorOptions;
  readonly #sql = commonsStatements();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #seen: string | undefined;
  #syncing: Promise<void> = Promise.resolve();
  #failed = false;

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

  /** Reads what changed. @throws Error where the folder or the store cannot be used; what was there stays */
  sync(): Promise<void> {
    const done = this.#syncing.then(() => this.#sync());
    this.#syncing = done.catch(() => {});
    return done;
  }

  async #look(): Promise<void> {
    try {
      const seen = await this.#stamp();
      if (seen === this.#seen) return;
      await this.sync();
      this.#seen = seen;
      this.#failed = false;
    } catch (error) {
      if (!this.#failed) this.#options.onFailure(error);
      this.#failed = true;
    }
  }

  /** A file that is replaced or removed changes its folder. */
  async #stamp(): Promise<string> {
    const folder = this.#options.folder();
    if (folder === "") return "";
    const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    return `${folder}\0${found === undefined ? "" : `${found.ino}:${found.mtimeMs}`}`;
  }

  async #sync(): Promise<void> {
    const { store, exists, folder: read, bus } = this.#options;
    const folder = read();
    const files = folder === "" ? [] : await listShared(folder);
    if (files.length === 0 && !exists()) return;
    const known = await store.alone((db) => this.#known(db));
    const there = new Set(files.map(({ name }) => name));
    const gone = [...known.keys()].filter((name) => !there.has(name));
    const changed = files.filter(({ name, version }) => known.get(name) !== version);
    for (let at = 0; at < changed.length; at += BITE) await this.#take(folder, changed.slice(at, at + BITE));
    for (let at = 0; at < gone.length; at += BITE) await this.#write(gone.slice(at, at + BITE).flatMap(this.#drop));
    if (changed.length + gone.length === 0) return;
    if (gone.length > 0 || changed.length > 0) await store.index.clean();
    bus.publish("knowledge.changed", { action: "commons" });
  }

  async #known(db: Database): Promise<ReadonlyMap<string, string>> {
    const rows = await db.read(this.#sql.known.bind({}), "long");
    return new Map(rows.map(([file, version]) => [String(file), String(version)]));
  }

  async #take(folder: string, files: readonly SharedFile[]): Promise<void> {
    const read = await Promise.all(files.map(async (file) => ({ file, memory: await readShared(folder, file.name) })));
    await this.#write(
      read.flatMap(({ file, memory }) => [
        ...this.#drop(file.name),
        // One that cannot be read is known, so that it is not read again and again.
        ...(memory === undefined
          ? [this.#sql.unread.bind({ file: file.name, version: file.version })]
          : this.#add(file, memory)),
      ]),
    );
  }

  #add({ name, version }: SharedFile, memory: SharedMemory): Statement[] {
    const { content, domain, heading, subject, kind, policy, trust, created_at: created, updated_at: updated } = memory;
    const title = `${subject} ${heading}`;
    return [
      this.#sql.insert.bind({
        ...{ domain, heading, subject, kind, policy, content, created, updated, trust: trustNumber(trust) },
        ...{ searchTitle: indexedText(title) ?? null, searchText: indexedText(content) ?? null },
      }),
      this.#sql.note.bind({ file: name, version }),
    ];
  }

  readonly #drop = (file: string): Statement[] => [this.#sql.remove.bind({ file }), this.#sql.unknow.bind({ file })];

  async #write(statements: readonly Statement[]): Promise<void> {
    if (statements.length === 0) return;
    await this.#options.store.alone((db) => db.commit({ label: "knowledge.commons", statements, overwrite: true }));
  }
}

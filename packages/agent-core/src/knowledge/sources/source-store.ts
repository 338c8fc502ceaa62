/**
 * The rows of documents, and of their chunks while they come in.
 *
 * A document's chunks are shown while its row is `ready`: one row is changed, and all or none of them are seen. No commit
 * holds more than a bite of it, since the thread that writes serves the engine's store too.
 */
import { commitIfExpected, type Database, type Statement } from "../../database/index.ts";
import { KNOWLEDGE_LIMITS } from "../chunk.ts";
import { KnowledgeError } from "../knowledge-error.ts";
import { indexedText } from "../search-words.ts";
import { type NewSource, SOURCE_LIMITS, type Source, type SourceState } from "./source.ts";
import { RESTORABLE_MS, SourceRows, type SourceStoreOptions } from "./source-rows.ts";
import { sourceContentStatements, sourceOf, sourceStatements } from "./source-statements.ts";

/** How long a failure is shown. */
const FAILURES_MS = 7 * 86_400_000;

/** A chunk of a document. */
export interface NewPiece {
  readonly heading: string;
  readonly content: string;
}

/** What is to be read. */
export interface Claimed {
  readonly source: Source;
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Rows of documents and of what they hold. */
export class SourceStore {
  readonly rows: SourceRows;
  readonly #options: SourceStoreOptions;
  readonly #sql = { ...sourceStatements(), ...sourceContentStatements() };
  /** Whose bytes this process takes in. */
  readonly #receiving = new Set<number>();

  #recovering: Promise<void> | undefined;

  constructor(options: SourceStoreOptions) {
    this.#options = options;
    this.rows = new SourceRows(options);
  }

  /**
   * Stores a document that is to be read; durable when it resolves. The same bytes in the same domain are the same source:
   * `isNew` is false then, and one that was removed is shown again.
   * @throws KnowledgeError too_many_waiting @throws DatabaseError
   */
  async receive(source: NewSource, digest: string): Promise<{ readonly source: Source; readonly isNew: boolean }> {
    // What a former process left must not be told from what this one takes in while it comes in.
    await this.recover();
    const { id, known } = await this.#options.alone((db) => this.#enter(db, source, digest));
    if (known !== undefined) return { source: known, isNew: false };
    this.#receiving.add(id);
    try {
      const db = await this.#options.get();
      for (let part = 0; part * SOURCE_LIMITS.partBytes < source.bytes.length; part++) {
        const start = part * SOURCE_LIMITS.partBytes;
        const bytes = source.bytes.slice(start, start + SOURCE_LIMITS.partBytes);
        const statements = [this.#sql.addPart.bind({ id, part, bytes })];
        await db.commit({ label: "knowledge.receive", statements });
      }
      await this.#move(id, "receiving", "queued");
      return { source: await this.#known(id), isNew: true };
    } catch (error) {
      await this.#options.alone((db) => this.#discard(db, id)).catch(() => {});
      throw error;
    } finally {
      this.#receiving.delete(id);
    }
  }

  async #enter(
    db: Database,
    source: NewSource,
    digest: string,
  ): Promise<{ readonly id: number; readonly known?: Source }> {
    const { domain, namespace } = source;
    const bound = { digest, domain, namespace };
    const [row] = await db.read(this.#sql.sameBytes.bind(bound));
    const same = row === undefined ? undefined : sourceOf(row);
    if (same !== undefined) {
      const isStill = same.state === "receiving" && this.#receiving.has(same.id);
      if (isStill || ["queued", "reading", "ready"].includes(same.state)) return { id: same.id, known: same };
      if (same.state === "removed" && (await this.rows.restoreIn(db, same.id)))
        return { id: same.id, known: await this.#known(same.id) };
      if (same.state !== "removed") await this.#discard(db, same.id);
    }
    const [open] = await db.read(this.#sql.open.bind({}));
    if (Number(open?.[0]) >= SOURCE_LIMITS.waiting)
      throw new KnowledgeError("too_many_waiting", "too many documents wait to be read already");
    const { uri, name, mediaType, title, held = "", session, task } = source;
    await db.commit({
      label: "knowledge.source",
      statements: [
        this.#sql.insert.bind({
          ...{ ...bound, uri, name, mediaType, title, held, session, task },
          ...{ bytes: source.bytes.length, now: this.#options.clock.now() },
        }),
      ],
    });
    const [made] = await db.read(this.#sql.sameBytes.bind(bound));
    return { id: Number(made?.[0]) };
  }

  /** The oldest that waits, with its bytes; it is `reading` from then on. Undefined: none waits. @throws DatabaseError */
  async claim(): Promise<Claimed | undefined> {
    const db = await this.#options.get();
    const [row] = await db.read(this.#sql.nextQueued.bind({}));
    if (row === undefined) return undefined;
    const source = sourceOf(row);
    if (!(await this.#move(source.id, "queued", "reading"))) return undefined;
    const bytes = new Uint8Array(source.bytes);
    for (let part = 0; part * SOURCE_LIMITS.partBytes < bytes.length; part++) {
      const [held] = await db.read(this.#sql.part.bind({ id: source.id, part }));
      bytes.set(held?.[0] as Uint8Array, part * SOURCE_LIMITS.partBytes);
    }
    const [about] = await db.read(this.#sql.reading.bind({ id: source.id }));
    return { source: { ...source, state: "reading" }, mediaType: String(about?.[0]), bytes };
  }

  /** What was found while reading. @throws KnowledgeError full, too_many_always_on */
  async measured(
    { id, domain }: Source,
    found: { readonly type: string; readonly title: string; readonly chars: number; readonly total: number },
  ): Promise<void> {
    await this.#options.alone(async (db) => {
      const [row] = await db.read(this.#sql.room.bind({}));
      const { chunks, always } = KNOWLEDGE_LIMITS;
      if (Number(row?.[0]) + found.total > chunks)
        throw new KnowledgeError("full", `the memory holds at most ${chunks} chunks: forget some first`);
      if (domain === "hot" && Number(row?.[1]) + found.total > always)
        throw new KnowledgeError("too_many_always_on", `there can be ${always} always-on memories: forget some first`);
      await db.commit({ label: "knowledge.measured", statements: [this.#sql.measured.bind({ id, ...found })] });
    });
  }

  /** Stores a bite of chunks, `place` the first one's. Not shown before `finish`. False: it is not being read. @throws DatabaseError */
  async append(id: number, place: number, pieces: readonly NewPiece[]): Promise<boolean> {
    const now = this.#options.clock.now();
    const rows = pieces.map(({ heading, content }, i): Statement => {
      const title = ` ${heading}`;
      const searched = { searchTitle: indexedText(title) ?? null, searchText: indexedText(content) ?? null };
      return this.#sql.addChunk.bind({ id, heading, content, now, place: place + i, ...searched });
    });
    return this.#options.alone((db) =>
      commitIfExpected(db, {
        label: "knowledge.append",
        expect: this.#sql.stored.bind({ id, count: pieces.length }),
        statements: rows,
      }),
    );
  }

  /** Shows it, in place of what was at its address before. False: it is not being read. @throws DatabaseError */
  async finish(id: number): Promise<boolean> {
    const done = await this.#options.alone((db) =>
      commitIfExpected(db, {
        label: "knowledge.ready",
        expect: this.#sql.enter.bind({ id, from: "reading", state: "ready" }),
        statements: [this.#sql.replaceOthers.bind({ id, now: this.#options.clock.now() })],
      }),
    );
    await this.#dropParts(id);
    return done;
  }

  /** Takes back what was stored of it. @throws DatabaseError */
  async fail(id: number, code: string, error: string): Promise<void> {
    await this.#options.alone((db) =>
      db.commit({ label: "knowledge.failed", statements: [this.#sql.fail.bind({ id, code, error })] }),
    );
    await this.#dropChunks(id);
    await this.#dropParts(id);
  }

  /** Begins anew, once, what a former process left half done. @throws DatabaseError */
  recover(): Promise<void> {
    this.#recovering ??= this.#recover().catch((error: unknown) => {
      this.#recovering = undefined;
      throw error;
    });
    return this.#recovering;
  }

  async #recover(): Promise<void> {
    const db = await this.#options.get();
    const left = (await db.read(this.#sql.left.bind({}))).map(sourceOf);
    for (const source of left) {
      await this.#dropChunks(source.id);
      if (source.state === "receiving") await this.#options.alone((store) => this.#discard(store, source.id));
      else
        await this.#options.alone((store) =>
          store.commit({ label: "knowledge.again", statements: [this.#sql.again.bind({ id: source.id })] }),
        );
    }
    for (const [id] of await db.read(this.#sql.staleParts.bind({}))) await this.#dropParts(Number(id));
  }

  /** Deletes what was removed more than a day ago; true: there was something. @throws DatabaseError */
  async sweep(): Promise<boolean> {
    const now = this.#options.clock.now();
    const db = await this.#options.get();
    const bound = { before: now - RESTORABLE_MS, failedBefore: now - FAILURES_MS };
    const ids = (await db.read(this.#sql.expired.bind(bound))).map(([id]) => Number(id));
    for (const id of ids) await this.forget(id);
    return ids.length > 0;
  }

  /** Deletes all of a namespace; its words stay in the index. @throws DatabaseError */
  async forgetNamespace(namespace: string): Promise<void> {
    const db = await this.#options.get();
    for (const [id] of await db.read(this.#sql.ofNamespace.bind({ namespace }))) await this.forget(Number(id));
  }

  /** Deletes it with its bytes and chunks, for good. @throws DatabaseError */
  async forget(id: number): Promise<void> {
    await this.#dropChunks(id);
    await this.#options.alone((store) => this.#discard(store, id));
  }

  async #dropChunks(id: number): Promise<void> {
    const db = await this.#options.get();
    while ((await db.read(this.#sql.hasChunks.bind({ id }))).length > 0)
      await this.#options.alone((store) =>
        store.commit({
          ...{ label: "knowledge.dropChunks", statements: [this.#sql.dropChunks.bind({ id })], overwrite: true },
        }),
      );
  }

  /** What stood in them is overwritten in the file. */
  async #dropParts(id: number): Promise<void> {
    const db = await this.#options.get();
    while ((await db.read(this.#sql.hasParts.bind({ id }))).length > 0)
      await db.commit({
        ...{ label: "knowledge.dropParts", statements: [this.#sql.dropParts.bind({ id })], overwrite: true },
      });
  }

  async #discard(db: Database, id: number): Promise<void> {
    await this.#dropParts(id);
    await db.commit({ label: "knowledge.discard", statements: [this.#sql.forget.bind({ id })], overwrite: true });
  }

  async #move(id: number, from: SourceState, state: SourceState): Promise<boolean> {
    const db = await this.#options.get();
    const expect = this.#sql.enter.bind({ id, from, state });
    return commitIfExpected(db, { label: `knowledge.${state}`, expect, statements: [] });
  }

  async #known(id: number): Promise<Source> {
    const source = await this.rows.find(id);
    if (source === undefined) throw new KnowledgeError("unknown_source", `there is no source ${id}`);
    return source;
  }
}

/** Rows of documents: found, listed, hidden and shown again. */
import type { Clock } from "../../clock/index.ts";
import { commitIfExpected, type Database } from "../../database/index.ts";
import type { Source, SourceState } from "./source.ts";
import { sourceContentStatements, sourceOf, sourceStatements } from "./source-statements.ts";

/** How long what was removed can be restored. */
export const RESTORABLE_MS = 86_400_000;

export interface SourceStoreOptions {
  /** Does something while nothing else is written. */
  readonly alone: <T>(work: (db: Database) => Promise<T>) => Promise<T>;
  readonly get: () => Promise<Database>;
  readonly clock: Pick<Clock, "now">;
}

/** One row each; its chunks follow it. */
export class SourceRows {
  readonly #options: SourceStoreOptions;
  readonly #sql = { ...sourceStatements(), ...sourceContentStatements() };

  constructor(options: SourceStoreOptions) {
    this.#options = options;
  }

  /** Undefined: there is none. @throws DatabaseError */
  async find(id: number): Promise<Source | undefined> {
    const [row] = await (await this.#options.get()).read(this.#sql.byId.bind({ id }));
    return row === undefined ? undefined : sourceOf(row);
  }

  /** Newest first, below the number `before`; `removed`: with those that can be restored. @throws DatabaseError */
  async list(domain: string, removed: boolean, limit: number, before: number): Promise<readonly Source[]> {
    const db = await this.#options.get();
    const bound = { domain, removed: removed ? 1 : 0, limit, before };
    return (await db.read(this.#sql.list.bind(bound), "long")).map(sourceOf);
  }

  /** The newest of this address, title or file name, in one of two states. @throws DatabaseError */
  async named(named: string, first: SourceState, second: SourceState = first): Promise<Source | undefined> {
    const [row] = await (await this.#options.get()).read(this.#sql.named.bind({ named, first, second }), "long");
    return row === undefined ? undefined : sourceOf(row);
  }

  /** @throws DatabaseError */
  async chunkIds(id: number): Promise<readonly number[]> {
    const rows = await (await this.#options.get()).read(this.#sql.chunkIds.bind({ id }), "long");
    return rows.map(([chunk]) => Number(chunk));
  }

  /** Its always-on chunks, with the first words of each. @throws DatabaseError */
  async alwaysOn(id: number): Promise<readonly { readonly id: number; readonly preview: string }[]> {
    const rows = await (await this.#options.get()).read(this.#sql.alwaysOf.bind({ id }));
    return rows.map(([chunk, preview]) => ({ id: Number(chunk), preview: String(preview).toWellFormed() }));
  }

  /** Shows it nowhere from then on. False: it was not shown. @throws DatabaseError */
  remove(id: number): Promise<boolean> {
    return this.#options.alone((db) =>
      commitIfExpected(db, {
        label: "knowledge.removeSource",
        expect: this.#sql.remove.bind({ id, now: this.#options.clock.now() }),
        statements: [],
      }),
    );
  }

  /** Shows it again, in place of what is at its address. False: it was not removed, or too long ago. @throws DatabaseError */
  restore(id: number): Promise<boolean> {
    return this.#options.alone((db) => this.restoreIn(db, id));
  }

  /** The same, where nothing else is written already. */
  restoreIn(db: Database, id: number): Promise<boolean> {
    const now = this.#options.clock.now();
    return commitIfExpected(db, {
      label: "knowledge.restoreSource",
      expect: this.#sql.restore.bind({ id, since: now - RESTORABLE_MS }),
      statements: [this.#sql.replaceOthers.bind({ id, now })],
    });
  }
}

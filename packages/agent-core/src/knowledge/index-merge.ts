/**
 * Takes the words of deleted and changed rows out of a keyword index.
 *
 * The index keeps the words of a deleted row until its segments are merged into one. That is done a few pages at a time:
 * a merge of 100,000 memories at once holds the thread that writes for 200 ms, and it serves the engine's store too.
 */
import { type Database, namedStatement } from "../database/index.ts";

/** Pages written in one step, which takes about 5 ms. */
const PAGES = 64;
/** Where FTS5 keeps the list of its segments. */
const STRUCTURE = 10;

/** The index that is merged, and the table of one row that counts in `unmerged` what was deleted since. */
export interface MergedIndex {
  readonly index: string;
  readonly counts: string;
}

const statements = ({ index, counts }: MergedIndex) => ({
  unmerged: namedStatement(`SELECT unmerged FROM ${counts}`),
  structure: namedStatement(`SELECT block FROM ${index}_data WHERE id = ${STRUCTURE}`),
  /** A negative number of pages puts all segments together first. */
  merge: namedStatement(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', :pages)`),
  merged: namedStatement(`UPDATE ${counts} SET unmerged = max(0, unmerged - :count)`),
});

/** Merges a store's index; calls that come together share a merge. */
export class IndexMerge {
  readonly #get: () => Promise<Database>;
  readonly #sql: ReturnType<typeof statements>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(get: () => Promise<Database>, merged: MergedIndex = { index: "chunk_text", counts: "chunk_count" }) {
    this.#get = get;
    this.#sql = statements(merged);
  }

  /** Resolves once no word of what was deleted before the call is in the store's file. @throws DatabaseError */
  clean(): Promise<void> {
    if (this.#running === undefined) return this.#begin();
    // What runs may have passed the words of the last deletion.
    this.#next ??= this.#running.catch(() => {}).then(() => this.#begin());
    return this.#next;
  }

  #begin(): Promise<void> {
    this.#next = undefined;
    const running = this.#merge().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  async #merge(): Promise<void> {
    const db = await this.#get();
    const count = Number((await db.read(this.#sql.unmerged.bind({})))[0]?.[0]);
    if (count === 0) return;
    await this.#step(db, -PAGES);
    while (await this.#isMerging(db)) await this.#step(db, PAGES);
    await db.commit({ label: "index.merged", statements: [this.#sql.merged.bind({ count })], overwrite: true });
  }

  #step(db: Database, pages: number): Promise<void> {
    return db.commit({ label: "index.merge", statements: [this.#sql.merge.bind({ pages })], overwrite: true });
  }

  /** Whether a merge was begun and is not done: FTS5 notes how many segments of a level it merges. */
  async #isMerging(db: Database): Promise<boolean> {
    const [row] = await db.read(this.#sql.structure.bind({}));
    const block = row?.[0];
    return block instanceof Uint8Array && mergingLevels(block) > 0;
  }
}

/** The levels that are being merged, of a structure record: a cookie, three numbers, then the levels with their segments. */
function mergingLevels(block: Uint8Array): number {
  let at = 4;
  const number = (): number => {
    let value = 0;
    for (let i = 0; i < 9; i++) {
      const byte = block[at++] ?? 0;
      value = value * 128 + (byte & 127);
      if (byte < 128) break;
    }
    return value;
  };
  const levels = number();
  number();
  number();
  let merging = 0;
  for (let level = 0; level < levels; level++) {
    if (number() > 0) merging++;
    const segments = number();
    for (let i = 0; i < segments * 3; i++) number();
  }
  return merging;
}

/**
 * Takes the words of deleted and changed rows out of a keyword index.
 *
 * The index keeps the words of a deleted row until its segments are merged into one. That is done a few pages at a time:
 * a merge of 100,000 memories at once holds the thread that writes for 200 ms, and it serves the engine's store too.
 */
import type { Database } from "../database-port.ts";
import { namedStatement } from "../statement/named-statement.ts";

/** Pages written in one step, which takes about 5 ms. */
const PAGES = 64;
/** An index of so many pages is made anew: FTS5 moves segments of one page between levels, and keeps marks of deleted words in them. */
const FEW_PAGES = 8;
/** Rounds of merging, where other rows come meanwhile. */
const MOST_ROUNDS = 4;
/** Where FTS5 keeps the list of its segments. */
const STRUCTURE = 10;

/** What a structure record begins with, behind its cookie, where segments know which of their rows were deleted. */
const WITH_TOMBSTONES = [0xff, 0, 0, 1];

export interface MergedIndex {
  /** The index that is merged. */
  readonly index: string;
  readonly columns: readonly string[];
  /** The table of one row that counts in `unmerged` what was deleted since. Absent: the index keeps no texts, and each call merges. */
  readonly counts?: string;
}

/** A row that is nobody's: it comes and goes so that there is something to merge. */
const NOBODYS = 0;

function statements({ index, columns, counts }: MergedIndex) {
  const row = `(${NOBODYS}, ${columns.map(() => "'x'").join(", ")})`;
  const remove =
    counts === undefined
      ? `DELETE FROM ${index} WHERE rowid = ${NOBODYS}`
      : `INSERT INTO ${index} (${index}, rowid, ${columns.join(", ")}) VALUES ('delete', ${row.slice(1)}`;
  return {
    counts,
    rebuild: namedStatement(`INSERT INTO ${index} (${index}) VALUES ('rebuild')`),
    unmerged: namedStatement(counts === undefined ? "SELECT 1" : `SELECT unmerged FROM ${counts}`),
    structure: namedStatement(`SELECT block FROM ${index}_data WHERE id = ${STRUCTURE}`),
    come: namedStatement(`INSERT INTO ${index} (rowid, ${columns.join(", ")}) VALUES ${row}`),
    go: namedStatement(remove),
    /** A negative number of pages puts all segments together first. */
    merge: namedStatement(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', :pages)`),
    merged:
      counts === undefined ? undefined : namedStatement(`UPDATE ${counts} SET unmerged = max(0, unmerged - :count)`),
  };
}

/** Merges a store's index; calls that come together share a merge. */
export class IndexMerge {
  readonly #get: () => Promise<Database>;
  readonly #sql: ReturnType<typeof statements>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(get: () => Promise<Database>, merged: MergedIndex) {
    this.#get = get;
    this.#sql = statements(merged);
  }

  /** Resolves once no word of what was deleted before the call is in the index. @throws DatabaseError */
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
    const { counts, rebuild, merged } = this.#sql;
    const count = Number((await db.read(this.#sql.unmerged.bind({})))[0]?.[0]);
    if (count === 0) return;
    const isSmall = counts !== undefined && (await this.#structure(db)).pages <= FEW_PAGES;
    if (isSmall) await db.commit({ label: "index.rebuild", statements: [rebuild.bind({})], overwrite: true });
    for (let round = 0, isWhole = isSmall; round < MOST_ROUNDS && !isWhole; round++) {
      // Where all segments are of one level, FTS5 puts them together without going through those below: marks of deleted words
      // stay. A merge that was begun before leaves out what came since.
      if ((await this.#structure(db)).levels < 2) await this.#split(db);
      const { levels, merging } = await this.#structure(db);
      await this.#step(db, -PAGES);
      while ((await this.#structure(db)).merging > 0) await this.#step(db, PAGES);
      isWhole = (counts === undefined || levels > 1) && merging === 0 && (await this.#structure(db)).segments < 2;
    }
    const statements = merged === undefined ? [] : [merged.bind({ count })];
    await db.commit({ label: "index.merged", statements, overwrite: true });
  }

  #step(db: Database, pages: number): Promise<void> {
    return db.commit({ label: "index.merge", statements: [this.#sql.merge.bind({ pages })], overwrite: true });
  }

  #split(db: Database): Promise<void> {
    const { come, go } = this.#sql;
    return db.commit({ label: "index.split", statements: [come.bind({}), go.bind({})] });
  }

  async #structure(db: Database): Promise<Structure> {
    const [row] = await db.read(this.#sql.structure.bind({}));
    const block = row?.[0];
    return block instanceof Uint8Array ? structureOf(block) : { segments: 0, pages: 0, levels: 0, merging: 0 };
  }
}

interface Structure {
  readonly segments: number;
  /** Of all segments. */
  readonly pages: number;
  /** Those that have segments. */
  readonly levels: number;
  /** Levels whose segments are being merged: FTS5 notes how many of them. */
  readonly merging: number;
}

/** Reads a structure record: a cookie, three numbers, then the levels with their segments. */
function structureOf(block: Uint8Array): Structure {
  const numbers = WITH_TOMBSTONES.every((byte, i) => block[4 + i] === byte) ? 8 : 3;
  let at = numbers === 3 ? 4 : 8;
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
  const all = number();
  number();
  let [filled, merging, pages] = [0, 0, 0];
  for (let level = 0; level < levels; level++) {
    if (number() > 0) merging++;
    const segments = number();
    if (segments > 0) filled++;
    for (let i = 0; i < segments; i++) {
      number();
      const first = number();
      pages += number() - first + 1;
      for (let rest = 3; rest < numbers; rest++) number();
    }
  }
  return { segments: all, pages, levels: filled, merging };
}

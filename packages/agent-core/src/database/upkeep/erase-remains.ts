/**
 * Overwrites what a store's file still holds of rows that are gone.
 *
 * With `secure_delete` SQLite overwrites a row that it deletes and a page that it frees. Where it moves rows between pages, as
 * when one grows, the space that they leave keeps their bytes; the copy is deleted with the row and those bytes are not. They are
 * in no row, so only pages as such can be looked through.
 */
import type { Row, Value } from "../database-port.ts";
import type { ReadBounds } from "../store-connection.ts";
import { firstFreePage, freePagesOf, type PageUse, withoutRemains } from "./page-remains.ts";

/** What it needs of a connection. Everything is called within one transaction. */
export interface PageConnection {
  prepareQuery(sql: string, bounds: ReadBounds): (args: readonly Value[]) => Row[];
  prepareChange(sql: string): (args: readonly Value[]) => number;
}

/** Pages looked at in one step, which takes a millisecond or two, and more only where many are changed. */
const PAGES = 128;
const BOUNDS: ReadBounds = { rows: PAGES + 1, bytes: 16 << 20 };
/** Above it a page of a long row could be taken for one of a tree by its first byte. */
const MOST_PAGES = 0x01_ff_ff_ff;

export class RemainsEraser {
  readonly #read: (args: readonly Value[]) => Row[];
  readonly #write: (args: readonly Value[]) => number;
  readonly #hasOtherPages: boolean;

  /** @throws DatabaseError */
  constructor(connection: PageConnection) {
    this.#read = connection.prepareQuery("SELECT pgno, data FROM sqlite_dbpage WHERE pgno BETWEEN ? AND ?", BOUNDS);
    this.#write = connection.prepareChange("UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?");
    // A file that is told to shrink by itself has pages of another kind.
    this.#hasOtherPages = connection.prepareQuery("PRAGMA auto_vacuum", BOUNDS)([])[0]?.[0] !== 0;
  }

  /** One step, from a page on: the page that the next step begins with; undefined: it was the last. @throws DatabaseError */
  step(from: number): number | undefined {
    if (this.#hasOtherPages || from > MOST_PAGES) return undefined;
    const pages = this.#read([from, from + PAGES - 1]);
    if (pages.length === 0) return undefined;
    const uses = this.#uses();
    for (const [number, data] of pages) {
      if (!(data instanceof Uint8Array)) continue;
      const clean = withoutRemains(data, number === 1, uses.get(Number(number)) ?? "tree");
      if (clean !== undefined) this.#write([clean, number as number]);
    }
    return from + PAGES;
  }

  /** The pages that are of no tree and no row. */
  #uses(): ReadonlyMap<number, PageUse> {
    const uses = new Map<number, PageUse>();
    const first = this.#page(1);
    for (let at = first === undefined ? 0 : firstFreePage(first); at !== 0 && !uses.has(at); ) {
      const trunk = this.#page(at);
      if (trunk === undefined) break;
      uses.set(at, "chain");
      const { next, leaves } = freePagesOf(trunk);
      for (const leaf of leaves) uses.set(leaf, "free");
      at = next;
    }
    return uses;
  }

  #page(number: number): Uint8Array | undefined {
    const data = this.#read([number, number])[0]?.[1];
    return data instanceof Uint8Array ? data : undefined;
  }
}

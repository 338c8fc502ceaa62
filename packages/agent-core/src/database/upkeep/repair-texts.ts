import type { Value } from "../database-port.ts";
import { storableJson } from "../statement/storable-text.ts";
import type { ReadBounds, StoreConnection } from "../store-connection.ts";

/** What `PRAGMA user_version` is once the texts of a store were looked through; below 0: how many of its tables were. */
const REPAIRED = 1;
/** What a new store is made with: nobody has written to it. */
export const NOTHING_TO_REPAIR = `PRAGMA user_version = ${REPAIRED};`;
/** Rows that are looked at in one statement, and that one transaction changes at most. */
const PAGE = 500;

const TABLES = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'
AND NOT EXISTS (SELECT 1 FROM sqlite_master AS v WHERE v.sql LIKE 'CREATE VIRTUAL%' AND sqlite_master.name LIKE v.name || '%')
ORDER BY rowid`;

/** A row as long as it is: what is in the store has to be read whole to be mended. */
const ONE_ROW: ReadBounds = { rows: 1, bytes: Number.POSITIVE_INFINITY };

/** The bytes of half a surrogate pair: no UTF-8 has them. */
const HALVES = Array.from({ length: 0x20 }, (_, i) => `x'ED${(0xa0 + i).toString(16).toUpperCase()}'`);
const HALF = /\xed[\xa0-\xbf][\x80-\xbf]/g;

interface Column {
  readonly name: string;
  readonly isText: boolean;
  /** Its place in the key, from 1; 0: it is none of it. */
  readonly key: number;
}

/**
 * Replaces halves of surrogate pairs by U+FFFD, once in a store: versions that did not look wrote them, escaped in JSON, from
 * where `->>` makes broken UTF-8, or as that. The native binding ends the process when it reads one, so they are looked for
 * as bytes before anything else is read, however long that takes: a row that was left out would end the process later. A
 * start that ends in the middle is continued by the next one, with the table it was at. Keys are made by this program and
 * left as they are.
 * @param between called between two pages
 * @returns how many rows it changed
 */
export async function repairTexts(connection: StoreConnection, between?: () => Promise<void>): Promise<number> {
  const version = Number(connection.query("PRAGMA user_version")[0]?.[0]);
  if (version >= REPAIRED) return 0;
  let changed = 0;
  // New tables come behind those that are there.
  for (const [at, [table]] of connection.query(TABLES).entries()) {
    if (at < -version) continue;
    const repair = new TableRepair(connection, String(table));
    while (repair.page()) await between?.();
    changed += repair.changed;
    connection.execute(`PRAGMA user_version = ${-at - 1}`);
  }
  connection.execute(`PRAGMA user_version = ${REPAIRED}`);
  return changed;
}

interface RepairStatements {
  /** Its texts as bytes, by key. */
  readonly read: (key: readonly Value[]) => readonly (readonly Value[])[];
  /** For each of them: the text, then the key. */
  readonly writes: readonly ((args: readonly Value[]) => number)[];
}

class TableRepair {
  readonly #connection: StoreConnection;
  readonly #table: string;
  readonly #texts: readonly string[];
  readonly #keys: readonly Column[];
  /** Prepared once: their texts are long, and a store may have hundreds of thousands of broken rows. */
  #statements: RepairStatements | undefined;
  #last: readonly Value[] | undefined;
  changed = 0;

  constructor(connection: StoreConnection, table: string) {
    this.#connection = connection;
    this.#table = quoted(table);
    const columns = connection.query("SELECT name, type, pk FROM pragma_table_info(?) ORDER BY pk", [table]);
    const read = columns.map(
      ([name, type, key]): Column => ({ name: quoted(String(name)), isText: type === "TEXT", key: Number(key) }),
    );
    this.#texts = read.flatMap(({ name, isText, key }) => (isText && key === 0 ? [name] : []));
    const keys = read.filter(({ key }) => key > 0);
    this.#keys = keys.length > 0 ? keys : [{ name: "rowid", isText: false, key: 1 }];
  }

  /** Repairs the next rows; false: there are no more. */
  page(): boolean {
    if (this.#texts.length === 0 || this.#isEmpty()) return false;
    const rows = this.#next();
    const broken = rows.flatMap((row) => (row.at(-1) === 1 ? [row.slice(0, -1)] : []));
    if (broken.length > 0) this.#repairAll(broken);
    this.#last = rows.at(-1)?.slice(0, -1);
    return rows.length === PAGE;
  }

  #isEmpty(): boolean {
    return this.#connection.query(`SELECT 1 FROM ${this.#table} LIMIT 1`).length === 0;
  }

  #repairAll(keys: readonly (readonly Value[])[]): void {
    this.#statements ??= this.#prepare();
    this.#connection.begin();
    try {
      for (const key of keys) if (this.#repair(key, this.#statements)) this.changed++;
      this.#connection.commit();
    } catch (error) {
      this.#connection.rollback();
      throw error;
    }
  }

  #prepare(): RepairStatements {
    const names = this.#keys.map(({ name }) => name).join();
    const isRow = `(${names}) = (${this.#given()})`;
    const bytes = this.#texts.map((text) => `CAST(${text} AS BLOB)`).join();
    const read = this.#connection.prepareQuery(`SELECT ${bytes} FROM ${this.#table} WHERE ${isRow}`, ONE_ROW);
    const writes = this.#texts.map((text) =>
      this.#connection.prepareChange(`UPDATE ${this.#table} SET ${text} = ? WHERE ${isRow}`),
    );
    return { read, writes };
  }

  /** Keys of the next rows, each with whether the row may be broken. */
  #next(): readonly (readonly Value[])[] {
    const shown = this.#keys.map(({ name, isText }) => (isText ? `CAST(${name} AS BLOB)` : name)).join();
    const names = this.#keys.map(({ name }) => name).join();
    const after = this.#last === undefined ? "" : `WHERE (${names}) > (${this.#given()})`;
    const broken = this.#texts.map(isBroken).join(" OR ");
    const sql = `SELECT ${shown}, (${broken}) FROM ${this.#table} ${after} ORDER BY ${names} LIMIT ${PAGE}`;
    return this.#connection.query(sql, this.#last ?? []);
  }

  /** Whether there was something to repair in the row. */
  #repair(key: readonly Value[], { read, writes }: RepairStatements): boolean {
    const [found = []] = read(key);
    let isChanged = false;
    for (const [at, write] of writes.entries()) {
      const held = found[at];
      if (!(held instanceof Uint8Array)) continue;
      const bytes = Buffer.from(held);
      const whole = repaired(bytes);
      if (bytes.equals(Buffer.from(whole))) continue;
      write([whole, ...key]);
      isChanged = true;
    }
    return isChanged;
  }

  #given(): string {
    return this.#keys.map(({ isText }) => (isText ? "CAST(? AS TEXT)" : "?")).join();
  }
}

/** Whether a column may hold half a pair, as bytes or escaped. Only where there is such a lead byte are all of them tried. */
function isBroken(column: string): string {
  const bytes = `CAST(${column} AS BLOB)`;
  const halves = HALVES.map((half) => `instr(${bytes}, ${half}) > 0`).join(" OR ");
  return `coalesce(${column} LIKE '%\\ud%' OR (instr(${bytes}, x'ED') > 0 AND (${halves})), 0)`;
}

function repaired(bytes: Buffer): string {
  const replaced = bytes.toString("latin1").replace(HALF, "\xef\xbf\xbd");
  return storableJson(Buffer.from(replaced, "latin1").toString("utf8"));
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

import { readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import Libsql from "libsql";
import { createPrivately } from "./create-privately.ts";
import { DatabaseError } from "./database-error.ts";
import type { Row, Value } from "./database-port.ts";
import { fromNativeError } from "./native-error.ts";
import type { SetupConnection } from "./setup-connection.ts";

/** How hard a commit is pressed to the disk: `full` survives power loss (EN9), the others are for measuring. */
export type Synchronous = "full" | "normal" | "off";

export interface ConnectionOptions {
  /** A path, or `:memory:`. Made where it is not there. */
  readonly path: string;
  readonly synchronous: Synchronous;
  /** The size in bytes the file may grow to, if bounded. */
  readonly maxBytes: number | undefined;
}

/** Bounds of one read (EN10). */
export interface ReadBounds {
  readonly rows: number;
  /** About, counted as text length and blob length. */
  readonly bytes: number;
}

type Prepared = ReturnType<Libsql.Database["prepare"]>;
interface RawPrepared {
  run(args: readonly unknown[]): { changes: number };
  iterate(args: readonly unknown[]): IterableIterator<unknown[]>;
  get(args: readonly unknown[]): unknown;
}

const SYNCHRONOUS = { off: 0, normal: 1, full: 2 } as const;
const BUSY_TIMEOUT_MS = 5_000;
/** Milliseconds that emptying the log waits for readers. */
const EMPTY_LOG_MS = 50;
const LOG_KEPT_BYTES = 64 << 20;
const BACKUPS_KEPT = 2;
const SETUP_BOUNDS: ReadBounds = { rows: 10_000, bytes: 1 << 24 };
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * One native connection, in a thread of its own (the binding is synchronous). Texts are prepared once, by number.
 *
 * Invariants
 *  CO1  Journal mode and synchronous are asserted at open, not assumed (EN9).
 *  CO2  An integer is bound as INTEGER and comes back equal, whatever its size and the column's type.
 *  CO3  No read leaves a statement open: an open one would hold back the checkpoint.
 */
export class StoreConnection implements SetupConnection {
  readonly description: string;
  readonly #path: string;
  readonly #db: Libsql.Database;
  readonly #texts: string[] = [];
  readonly #prepared: RawPrepared[] = [];
  readonly #writing: boolean[] = [];
  #logHoldsDeleted = false;

  /** @throws DatabaseError `unwritable` */
  constructor(options: ConnectionOptions) {
    this.#path = options.path;
    this.description = options.path === ":memory:" ? "memory" : options.path;
    if (options.path !== ":memory:") createPrivately(options.path);
    this.#db = this.#attempt(() => new Libsql(options.path, { timeout: BUSY_TIMEOUT_MS }));
    this.#attempt(() => this.#configure(options));
  }

  /** Adds statement texts; their numbers follow those it has. */
  learn(texts: readonly string[], afresh: boolean): void {
    if (afresh) {
      this.#texts.length = 0;
      this.#prepared.length = 0;
      this.#writing.length = 0;
    }
    this.#texts.push(...texts);
  }

  /** Runs the numbered statement, which must return no rows. @returns how many rows it changed */
  change(id: number, args: Value[]): number {
    const statement = this.#statement(id);
    if (this.#writing[id] !== true)
      throw new DatabaseError("misuse", `a command's statement returns rows: ${this.#texts[id]}`);
    return statement.run(bindable(args)).changes;
  }

  /** Runs the numbered query. @throws DatabaseError `misuse` when the result is larger than the bounds */
  select(id: number, args: Value[], bounds: ReadBounds): Row[] {
    return collect(this.#statement(id), bindable(args), bounds, this.#texts[id] ?? "");
  }

  /** Forbids or allows changes; reads through the writer's connection run with changes forbidden. */
  queryOnly(on: boolean): void {
    this.#db.exec(on ? "PRAGMA query_only=1" : "PRAGMA query_only=0");
  }

  /** Pages of the file are the caller's to overwrite only where there is a file. */
  get hasPages(): boolean {
    return this.#path !== ":memory:";
  }

  /** What the log holds goes at the next `emptyLog`: it may be of rows that were deleted. */
  forgetLog(): void {
    this.#logHoldsDeleted = true;
  }

  /**
   * Empties the log if it is to go; tried again later while a reader needs it. Never throws.
   * @returns whether it holds nothing that was to go
   */
  emptyLog(): boolean {
    if (!this.#logHoldsDeleted || this.#path === ":memory:") return true;
    this.#db.exec(`PRAGMA busy_timeout=${EMPTY_LOG_MS}`);
    try {
      const [busy] = raw(this.#db.prepare("PRAGMA wal_checkpoint(TRUNCATE)")).get([]) as unknown[];
      this.#logHoldsDeleted = Number(busy) !== 0;
    } catch {
      // What was committed is durable either way.
    } finally {
      this.#db.exec(`PRAGMA busy_timeout=${BUSY_TIMEOUT_MS}`);
    }
    return !this.#logHoldsDeleted;
  }

  begin(): void {
    this.#db.exec("BEGIN IMMEDIATE");
  }

  commit(): void {
    this.#db.exec("COMMIT");
  }

  /** Ends a transaction if one is still open: SQLite ends it by itself on some errors. */
  rollback(): void {
    if (this.#db.inTransaction) this.#db.exec("ROLLBACK");
  }

  /** A question that is kept prepared, for the thread's own use: has the query a row? Its errors are the binding's. */
  prepareCheck(sql: string, args: readonly Value[]): () => boolean {
    const statement = raw(this.#db.prepare(sql));
    const bound = bindable([...args]);
    return () => statement.get(bound) !== undefined;
  }

  /** A query that is kept prepared, for the thread's own use. */
  prepareQuery(sql: string, bounds: ReadBounds): (args: readonly Value[]) => Row[] {
    const statement = this.#attempt(() => raw(this.#db.prepare(sql)));
    return (args) => this.#attempt(() => collect(statement, bindable([...args]), bounds, sql));
  }

  /** A change that is kept prepared, for the thread's own use: how many rows it changed. */
  prepareChange(sql: string): (args: readonly Value[]) => number {
    const statement = this.#attempt(() => this.#db.prepare(sql) as unknown as RawPrepared);
    return (args) => this.#attempt(() => statement.run(bindable([...args])).changes);
  }

  query(sql: string, args: readonly Value[] = []): Row[] {
    return this.#attempt(() => collect(raw(this.#db.prepare(sql)), bindable([...args]), SETUP_BOUNDS, sql));
  }

  execute(sql: string, args: readonly Value[] = []): number {
    return this.#attempt(() => (this.#db.prepare(sql) as unknown as RawPrepared).run(bindable([...args])).changes);
  }

  script(sql: string): void {
    this.#attempt(() => {
      try {
        this.#db.exec(`BEGIN IMMEDIATE;\n${sql}\n;COMMIT`);
      } catch (error) {
        this.rollback();
        throw error;
      }
    });
  }

  backUp(number: number): void {
    if (this.#path === ":memory:") return;
    const target = `${this.#path}.before-${number}.bak`;
    const unfinished = `${target}.part`;
    rmSync(unfinished, { force: true });
    createPrivately(unfinished);
    const quoted = `'${unfinished.replaceAll("'", "''")}'`;
    this.#attempt(() => {
      this.#db.exec(`VACUUM INTO ${quoted}`);
      // The copy has no owner: a process that restores it need not wait for the lease of the one that made it.
      this.#db.exec(`ATTACH ${quoted} AS copy; UPDATE copy.lease SET expires_at = 0; DETACH copy`);
    });
    renameSync(unfinished, target);
    removeOldBackups(this.#path);
  }

  /** Checkpoints the log into the file, unless `fold` is false, and closes. */
  close(fold = true): void {
    try {
      if (fold && this.#path !== ":memory:") this.#db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
    } catch {
      // The log is folded in at the next open instead.
    }
    this.#db.close();
  }

  #configure({ path, synchronous, maxBytes }: ConnectionOptions): void {
    const mode = this.#pragma("journal_mode=WAL");
    if (path !== ":memory:" && mode !== "wal")
      throw new DatabaseError("unwritable", `cannot keep a log beside ${path}`);
    // What is deleted is overwritten, pages that are freed included.
    this.#pragma("secure_delete=ON");
    // A log that grew while a long read held it back is cut again (EN10).
    this.#pragma(`journal_size_limit=${LOG_KEPT_BYTES}`);
    this.#db.exec(`PRAGMA synchronous=${SYNCHRONOUS[synchronous]}`);
    if (Number(this.#pragma("synchronous")) !== SYNCHRONOUS[synchronous]) {
      throw new DatabaseError("unwritable", `cannot write ${path} durably: synchronous=${synchronous} was not taken`);
    }
    if (maxBytes !== undefined) {
      const pageSize = Number(this.#pragma("page_size"));
      this.#db.exec(`PRAGMA max_page_count=${Math.max(1, Math.floor(maxBytes / pageSize))}`);
    }
  }

  #pragma(text: string): unknown {
    return (raw(this.#db.prepare(`PRAGMA ${text}`)).get([]) as unknown[])[0];
  }

  #statement(id: number): RawPrepared {
    const ready = this.#prepared[id];
    if (ready !== undefined) return ready;
    const sql = this.#texts[id];
    if (sql === undefined) throw new DatabaseError("misuse", `no statement is numbered ${id}`);
    const prepared = this.#db.prepare(sql);
    this.#writing[id] = !prepared.reader;
    const statement = prepared.reader ? raw(prepared) : (prepared as unknown as RawPrepared);
    this.#prepared[id] = statement;
    return statement;
  }

  #attempt<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      const { code, message } = fromNativeError(error);
      throw new DatabaseError(code, `${this.description}: ${message}`, { cause: error });
    }
  }
}

function removeOldBackups(path: string): void {
  const prefix = `${basename(path)}.before-`;
  const number = (name: string): number => Number.parseInt(name.slice(prefix.length), 10);
  const backups = readdirSync(dirname(path)).filter((name) => name.startsWith(prefix) && name.endsWith(".bak"));
  backups.sort((a, b) => number(b) - number(a));
  for (const name of backups.slice(BACKUPS_KEPT)) rmSync(join(dirname(path), name), { force: true });
}

function raw(prepared: Prepared): RawPrepared {
  return prepared.raw(true).safeIntegers(true) as unknown as RawPrepared;
}

/** Changes `args` for the binding, which makes REAL of every number: whole numbers become INTEGER (CO2). */
function bindable(args: Value[]): Value[] {
  for (let i = 0; i < args.length; i += 1) {
    const value = args[i];
    if (typeof value === "number" && Number.isSafeInteger(value)) args[i] = BigInt(value);
  }
  return args;
}

function collect(statement: RawPrepared, args: readonly Value[], bounds: ReadBounds, sql: string): Row[] {
  const rows: Row[] = [];
  let bytes = 0;
  for (const row of statement.iterate(args)) {
    for (let i = 0; i < row.length; i += 1) {
      const value = row[i];
      if (typeof value === "bigint") {
        if (value <= LARGEST && value >= -LARGEST) row[i] = Number(value);
      } else if (typeof value === "string") bytes += value.length;
      else if (value instanceof Uint8Array) bytes += value.byteLength;
    }
    bytes += 8 * row.length;
    if (rows.length >= bounds.rows || bytes > bounds.bytes) {
      // Starting it again and taking one row resets it (CO3).
      statement.get(args);
      const limit = `${bounds.rows} rows or ${bounds.bytes} bytes`;
      throw new DatabaseError("misuse", `the result is larger than ${limit}; read it in pages: ${sql.slice(0, 200)}`);
    }
    rows.push(row as Value[]);
  }
  return rows;
}

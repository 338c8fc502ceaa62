import { type Database, namedStatement } from "../database/index.ts";

/** A process that was started and whose end is not noted yet. */
export interface ProcessRow {
  readonly id: string;
  /** For whom, for example `call:<id>`. */
  readonly owner: string;
  readonly pid: number;
  readonly started: string;
  readonly boot: string;
}

/** The table `process_run`: by it a later start of the service finds what an earlier one left running (PR2). */
export class ProcessStore {
  readonly #db: Database;
  readonly #insert = namedStatement(
    `INSERT INTO process_run (id, owner, pid, started, boot, at) VALUES (:id, :owner, :pid, :started, :boot, :at)`,
  );
  readonly #remove = namedStatement("DELETE FROM process_run WHERE id = :id");
  readonly #list = namedStatement("SELECT id, owner, pid, started, boot FROM process_run ORDER BY at");

  constructor(db: Database) {
    this.#db = db;
  }

  /** @throws DatabaseError */
  add(row: ProcessRow, at: number): Promise<void> {
    return this.#db.commit({ label: "process.start", statements: [this.#insert.bind({ ...row, at })] });
  }

  /** @throws DatabaseError */
  remove(ids: readonly string[]): Promise<void> {
    return this.#db.commit({ label: "process.end", statements: ids.map((id) => this.#remove.bind({ id })) });
  }

  /** @throws DatabaseError */
  async list(): Promise<readonly ProcessRow[]> {
    const rows = await this.#db.read(this.#list.bind({}));
    return rows.map(([id, owner, pid, started, boot]) => ({
      ...{ id: String(id), owner: String(owner), pid: Number(pid), started: String(started), boot: String(boot) },
    }));
  }
}

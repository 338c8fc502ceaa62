import type { EventLog } from "../bus/index.ts";
import type { Clock } from "../clock/index.ts";
import { type Database, DatabaseError, namedStatement } from "../database/index.ts";
import { ExampleNoteError } from "./example-note-error.ts";

/** An entry. */
export interface ExampleNoteEntry {
  readonly id: number;
  readonly text: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

const statements = () => ({
  insert: namedStatement(
    `INSERT INTO example_note (text, created_at, source) SELECT :text, :at, :source
     WHERE (SELECT count(*) FROM example_note) < :most AND NOT EXISTS (SELECT 1 FROM example_note WHERE source = :source)`,
  ),
  bySource: namedStatement("SELECT id, text, created_at FROM example_note WHERE source = :source"),
  list: namedStatement(
    "SELECT id, text, created_at FROM example_note WHERE id < :before ORDER BY id DESC LIMIT :limit",
  ),
});

/** The entries. */
export class ExampleNoteStore {
  readonly #parts: {
    readonly db: Database;
    readonly clock: Clock;
    readonly bus: EventLog;
    readonly maxEntries: () => number;
  };
  readonly #sql = statements();

  constructor(parts: {
    readonly db: Database;
    readonly clock: Clock;
    readonly bus: EventLog;
    readonly maxEntries: () => number;
  }) {
    this.#parts = parts;
  }

  /**
   * Adds an entry and resolves once it is durable. `source` names the call or request: a second add under the same name
   * returns the entry of the first. @throws ExampleNoteError `full`
   */
  async add(text: string, source: string): Promise<ExampleNoteEntry> {
    const { db, clock, bus, maxEntries } = this.#parts;
    const expect = this.#sql.insert.bind({ text, source, at: clock.now(), most: maxEntries() });
    let isNew = true;
    try {
      await db.commit({ label: "example_note.add", expect, statements: [] });
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== "expectation_failed") throw error;
      isNew = false;
    }
    const [row] = await db.read(this.#sql.bySource.bind({ source }));
    if (row === undefined) throw new ExampleNoteError("full", `there are ${maxEntries()} entries already`);
    const entry = { id: Number(row[0]), text: String(row[1]), createdAt: Number(row[2]) };
    if (isNew) bus.publish("example_note.added", { id: entry.id });
    return entry;
  }

  /** Returns the newest first. `before`: the id of the last entry of the page before. */
  async list(page: {
    readonly limit: number;
    readonly before?: number | undefined;
  }): Promise<readonly ExampleNoteEntry[]> {
    const { limit, before = Number.MAX_SAFE_INTEGER } = page;
    const rows = await this.#parts.db.read(this.#sql.list.bind({ limit, before }));
    return rows.map(([id, text, createdAt]) => ({ id: Number(id), text: String(text), createdAt: Number(createdAt) }));
  }
}

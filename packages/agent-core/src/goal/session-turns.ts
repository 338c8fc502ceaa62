import { type Database, namedStatement } from "../database/index.ts";
import { ROUND_CAP } from "../turn/index.ts";

const OPTIONS = namedStatement("SELECT json_extract(options, '$.purpose') FROM task WHERE id = :task");
/** A guard that ends a turn notes that among its last events. */
const LAST = namedStatement(
  `SELECT 1 FROM (SELECT kind, body FROM event WHERE task = :task ORDER BY seq DESC LIMIT 8)
   WHERE kind = 'guard.noted' AND json_extract(body, '$.guard') = '${ROUND_CAP}'`,
);
const SINCE = namedStatement(
  `SELECT id, updated_at FROM task WHERE state = 'completed' AND updated_at >= :since
   AND json_extract(options, '$.purpose') IS NULL AND id IN
     (SELECT task FROM message WHERE class = :class AND context = :context AND at >= :since)
   ORDER BY updated_at DESC LIMIT 2`,
);

/** What goals have to know of the turns of their sessions. Its reads throw DatabaseError. */
export class SessionTurns {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Whether it is a turn that answers, not a command or a compaction. */
  async answers(task: string): Promise<boolean> {
    const [row] = await this.#db.read(OPTIONS.bind({ task }));
    return row !== undefined && row[0] === null;
  }

  /** Whether its number of tool rounds ended it. */
  async wasCapped(task: string): Promise<boolean> {
    return (await this.#db.read(LAST.bind({ task }))).length > 0;
  }

  /** The newest turn of a session that ended completed since a time in epoch milliseconds, `known` aside. */
  async completedSince(
    of: { readonly class: string; readonly context: string },
    { since, known }: { readonly since: number; readonly known: string | undefined },
  ): Promise<{ readonly task: string; readonly at: number } | undefined> {
    const rows = await this.#db.read(SINCE.bind({ class: of.class, context: of.context, since }), "long");
    const row = rows.find(([task]) => task !== known);
    return row && { task: String(row[0]), at: Number(row[1]) };
  }
}

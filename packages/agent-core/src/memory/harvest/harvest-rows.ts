/** Which conversations memories are to be extracted of: in the engine's store, so that no restart loses or repeats one. */
import { type Database, namedStatement, type Row, type Statement } from "../../database/index.ts";

/** A conversation of which memories are extracted. Times are epoch milliseconds. */
export interface HarvestRow {
  readonly session: string;
  /** The last turn of which memories were extracted; blank: none. */
  readonly upto: string;
  /** The newest turn when it became due. */
  readonly due: string;
  /** Its age has come: it is removed afterwards. */
  readonly removal: boolean;
  readonly tries: number;
  /** That asks a model. */
  readonly task: string | undefined;
}

/** How often it is tried. */
export const MOST_TRIES = 3;
/** How long a failed one waits. */
const AGAIN_MS = 600_000;
const LEAST_TURNS = 2;

const COLUMNS = "session, upto, due, removal, tries, task";
const READER = "harvest";
/** The first conditions are those of the list's index. */
const IDLE = `s.origin NOT IN ('subagent', 'background', 'operator') AND s.origin <> 'auxiliary' AND s.version_of IS NULL
  AND s.origin IN ('chat', 'a2a', 'v1', 'embed')`;
const NEWEST = "(SELECT max(t.task) FROM session_turn AS t WHERE t.session = s.no)";

const sql = {
  cursor: namedStatement(`SELECT at FROM reader_cursor WHERE reader = '${READER}'`),
  move: namedStatement(
    `INSERT INTO reader_cursor (reader, at) VALUES ('${READER}', :at) ON CONFLICT (reader) DO UPDATE SET at = excluded.at`,
  ),
  markIdle: namedStatement(
    `INSERT INTO session_harvest (session, due, at)
     SELECT s.id, ${NEWEST}, :at FROM session AS s LEFT JOIN session_harvest AS h ON h.session = s.id
     WHERE ${IDLE} AND s.updated_at > :after AND s.updated_at <= :before
       AND (SELECT count(*) FROM (SELECT 1 FROM session_turn AS t
            WHERE t.session = s.no AND t.task > coalesce(h.upto, '') LIMIT ${LEAST_TURNS})) = ${LEAST_TURNS}
     ON CONFLICT (session) DO UPDATE SET due = excluded.due, removal = 0, tries = 0, at = excluded.at`,
  ),
  mark: namedStatement(
    `INSERT INTO session_harvest (session, due, removal, at)
     SELECT s.id, ${NEWEST}, :removal, 0 FROM session AS s WHERE s.id = :session AND ${NEWEST} IS NOT NULL
     ON CONFLICT (session) DO UPDATE SET due = excluded.due,
     removal = iif(session_harvest.due IS excluded.due, max(removal, excluded.removal), excluded.removal),
     tries = iif(:again = 1, 0, tries), at = iif(:again = 1, 0, at)`,
  ),
  next: namedStatement(
    `SELECT ${COLUMNS} FROM session_harvest WHERE due IS NOT NULL AND tries < ${MOST_TRIES} AND at <= :now ORDER BY at LIMIT 1`,
  ),
  read: namedStatement(`SELECT ${COLUMNS} FROM session_harvest WHERE session = :session AND due IS NOT NULL`),
  asked: namedStatement("UPDATE session_harvest SET task = :task WHERE session = :session"),
  done: namedStatement(
    `UPDATE session_harvest SET upto = :upto, removal = 0, task = NULL, tries = 0, due = iif(due IS :due, NULL, due) WHERE session = :session`,
  ),
  failed: namedStatement(
    "UPDATE session_harvest SET task = NULL, tries = tries + :counts, at = :at WHERE session = :session",
  ),
  forget: namedStatement("DELETE FROM session_harvest WHERE session = :session"),
  stuck: namedStatement(
    `SELECT count(*) FROM session_harvest WHERE due IS NOT NULL AND removal = 1 AND tries >= ${MOST_TRIES}`,
  ),
};

export class HarvestRows {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Notes the conversations that have been idle since `before`; of those there were at the first look, none. */
  async markIdle(before: number, now: number): Promise<void> {
    const [row] = await this.#db.read(sql.cursor.bind({}));
    const after = row === undefined ? before : Number(row[0]);
    if (row !== undefined && after >= before) return;
    const statements = [sql.move.bind({ at: before })];
    if (row !== undefined) statements.unshift(sql.markIdle.bind({ after, before, at: now }));
    await this.#commit(statements);
  }

  /** Notes one, whatever it has; `again`: as if nothing had failed. */
  mark(session: string, { removal, again }: { readonly removal: boolean; readonly again: boolean }): Promise<void> {
    return this.#commit([sql.mark.bind({ session, removal: removal ? 1 : 0, again: again ? 1 : 0 })]);
  }

  async next(now: number): Promise<HarvestRow | undefined> {
    return (await this.#db.read(sql.next.bind({ now }))).map(rowOf)[0];
  }

  /** Undefined: nothing is due of it. */
  async read(session: string): Promise<HarvestRow | undefined> {
    return (await this.#db.read(sql.read.bind({ session }))).map(rowOf)[0];
  }

  /** For the commit that accepts the task. */
  asked(session: string, task: string): Statement {
    return sql.asked.bind({ session, task });
  }

  /** Up to a turn; what became due since stays. */
  done({ session, due }: HarvestRow, upto: string): Promise<void> {
    return this.#commit([sql.done.bind({ session, due, upto })]);
  }

  /** `counts`: it is one of the tries. */
  failed(session: string, counts: boolean, now: number): Promise<void> {
    return this.#commit([sql.failed.bind({ session, counts: counts ? 1 : 0, at: counts ? now + AGAIN_MS : now })]);
  }

  forget(session: string): Promise<void> {
    return this.#commit([sql.forget.bind({ session })]);
  }

  /** Conversations that stay past their age. */
  async stuck(): Promise<number> {
    return Number((await this.#db.read(sql.stuck.bind({})))[0]?.[0]);
  }

  #commit(statements: readonly Statement[]): Promise<void> {
    return this.#db.commit({ label: "memory.harvest", statements });
  }
}

function rowOf([session, upto, due, removal, tries, task]: Row): HarvestRow {
  return {
    ...{ session: String(session), upto: String(upto), due: String(due), removal: removal === 1, tries: Number(tries) },
    task: task === null ? undefined : String(task),
  };
}

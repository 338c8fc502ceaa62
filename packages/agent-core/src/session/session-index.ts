/**
 * The index of sessions: which there are, how many turns each has, and what was said in them. A reader behind the
 * journal, in the engine's own store (rulings A16, R2, R12).
 *
 * Invariants
 *  X1  A session is a context of the operator class; other classes leave no trace here.
 *  X2  What the store does not hold any more is not written again: a deleted session stays deleted.
 *      A turn that was taken back lies under the session's negative number and is not listed again.
 *  X3  Writing the same task again changes nothing; an older picture changes nothing either.
 */
import type { EventBus } from "../bus/index.ts";
import { type Database, namedStatement, type Statement } from "../database/index.ts";
import type { CommittedEvent, TaskView } from "../event/index.ts";
import type { JournalReader } from "../projection/index.ts";
import { changesSession, entryOf, openingOf, type TurnEntry } from "./session-row.ts";

/** What the index needs. */
export interface SessionIndexOptions {
  readonly db: Database;
  readonly bus: EventBus;
}

/** Tasks per command, so that none holds the writing thread for long. */
const ROWS = 100;
const READER = "session";

const KNOWN = "EXISTS (SELECT 1 FROM task WHERE id = value ->> 'task')";

const SESSIONS = namedStatement(
  `INSERT INTO session (id, opening, origin, state, created_at, updated_at)
SELECT value ->> 'session', value ->> 'opening', value ->> 'origin', value ->> 'state', value ->> 'createdAt', value ->> 'updatedAt'
FROM json_each(:rows) WHERE ${KNOWN}
ON CONFLICT (id) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at,
opening = iif(session.opening = '', excluded.opening, session.opening)
WHERE excluded.updated_at >= session.updated_at`,
);
const TURNS = namedStatement(
  `INSERT INTO session_turn (session, task, origin, state, created_at, updated_at)
SELECT session.no, value ->> 'task', value ->> 'origin', value ->> 'state', value ->> 'createdAt', value ->> 'updatedAt'
FROM json_each(:rows) CROSS JOIN session ON session.id = value ->> 'session' WHERE ${KNOWN}
AND NOT EXISTS (SELECT 1 FROM session_turn AS away WHERE away.session = -session.no AND away.task = value ->> 'task')
ON CONFLICT (session, task) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at
WHERE excluded.updated_at >= session_turn.updated_at`,
);
const TEXTS = namedStatement(
  `INSERT OR REPLACE INTO session_text (rowid, text)
SELECT session_turn.no, value ->> 'text'
FROM json_each(:rows) CROSS JOIN session ON session.id = value ->> 'session'
CROSS JOIN session_turn ON session_turn.session = session.no AND session_turn.task = value ->> 'task'
WHERE value ->> 'text' IS NOT NULL`,
);
const MOVE = namedStatement(
  `INSERT INTO reader_cursor (reader, at) VALUES ('${READER}', :at) ON CONFLICT (reader) DO UPDATE SET at = excluded.at`,
);
const CURSOR = namedStatement(`SELECT at FROM reader_cursor WHERE reader = '${READER}'`);
const WRITTEN = namedStatement(
  `SELECT task.id FROM json_each(:tasks) CROSS JOIN task ON task.id = value WHERE task.class <> 'operator' OR EXISTS (
SELECT 1 FROM session JOIN session_turn ON session_turn.session = session.no AND session_turn.task = task.id
WHERE session.id = task.context AND session_turn.state = task.state)`,
);

/**
 * What waits to be written, as JSON text: one flat string for a task outlives the turn, not a picture of it, so that the
 * collector has nothing to move while a burst is under way.
 */
class WaitingRows {
  readonly #tasks: string[] = [];
  readonly #sessions: string[] = [];
  readonly #rows: string[] = [];

  push(entry: TurnEntry): void {
    this.#tasks.push(entry.task);
    this.#sessions.push(entry.session);
    this.#rows.push(JSON.stringify({ ...entry, opening: openingOf(entry.text) }));
  }

  /** The newest row of each task, in order of its first one; a row holds all that those before it held. */
  newest(): readonly string[] {
    const rows = new Map<string, string>();
    for (const [i, task] of this.#tasks.entries()) rows.set(task, this.#rows[i] ?? "");
    return [...rows.values()];
  }

  sessions(): ReadonlySet<string> {
    return new Set(this.#sessions);
  }

  /** These before those that came since. */
  before(later: WaitingRows): WaitingRows {
    const all = new WaitingRows();
    for (const { rows, tasks, sessions } of [this.#lists(), later.#lists()]) {
      all.#tasks.push(...tasks);
      all.#sessions.push(...sessions);
      all.#rows.push(...rows);
    }
    return all;
  }

  #lists(): {
    readonly tasks: readonly string[];
    readonly sessions: readonly string[];
    readonly rows: readonly string[];
  } {
    return { tasks: this.#tasks, sessions: this.#sessions, rows: this.#rows };
  }
}

/** Keeps the index. */
export class SessionIndex implements JournalReader {
  readonly name = "sessions";
  readonly #options: SessionIndexOptions;
  #waiting = new WaitingRows();

  constructor(options: SessionIndexOptions) {
    this.#options = options;
  }

  take(view: Readonly<TaskView>, events: readonly CommittedEvent[]): number {
    if (view.class !== "operator") return 0;
    if (!changesSession(events)) return 0;
    this.#waiting.push(entryOf(view));
    return 1;
  }

  replay(view: Readonly<TaskView>): void {
    if (view.class === "operator") this.#waiting.push(entryOf(view));
  }

  async flush(upTo: number | undefined): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = new WaitingRows();
    const rows = waiting.newest();
    const move: Statement[] = upTo === undefined ? [] : [MOVE.bind({ at: upTo })];
    try {
      for (let start = 0; start < rows.length || (start === 0 && move.length > 0); start += ROWS) {
        const some = rows.slice(start, start + ROWS);
        const last = start + ROWS >= rows.length;
        await this.#options.db.commit({
          label: "session.index",
          statements: [...(some.length === 0 ? [] : written(some)), ...(last ? move : [])],
        });
      }
    } catch (error) {
      this.#waiting = waiting.before(this.#waiting);
      throw error;
    }
    const { bus } = this.#options;
    for (const id of waiting.sessions()) bus.publish("session.changed", { session_id: id });
  }

  async cursor(): Promise<number | undefined> {
    const [row] = await this.#options.db.read(CURSOR.bind({}));
    return row === undefined ? undefined : Number(row[0]);
  }

  async written(tasks: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#options.db.read(WRITTEN.bind({ tasks: JSON.stringify(tasks) }));
    return new Set(rows.map((row) => String(row[0])));
  }
}

function written(entries: readonly string[]): Statement[] {
  const rows = `[${entries.join(",")}]`;
  return [SESSIONS.bind({ rows }), TURNS.bind({ rows }), TEXTS.bind({ rows })];
}

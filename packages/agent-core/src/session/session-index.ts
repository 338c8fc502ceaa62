/**
 * The index of sessions, their turns and their texts. A reader of the journal, in the engine's own store (A16, R2, R12).
 *
 * Invariants
 *  SX1  A session is a context of the operator class; other classes leave no trace here.
 *  SX2  What the store does not hold any more is not written again: a deleted session stays deleted.
 *       A turn that was taken back has the session's negative number and is not listed again.
 *  SX3  Writing the same task again changes nothing: what is written is what the store holds of it.
 */
import type { EventBus } from "../bus/index.ts";
import { type Database, namedStatement, type Statement } from "../database/index.ts";
import type { CommittedEvent, TaskView } from "../event/index.ts";
import type { JournalReader } from "../projection/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import { callerText, changesSession, isShortText, OPENING_CHARS } from "./session-row.ts";

export interface SessionIndexOptions {
  readonly db: Database;
  readonly bus: EventBus;
  /** Who gives titles; the mark that one is due is written with the turn. */
  readonly titles: { wants(view: Readonly<TaskView>): boolean; due(sessions: string): Statement; wake(): void };
}

/** Tasks per command, so that none holds the writing thread for long. */
const ROWS = 100;
const READER = "session";

/** A row is a task's id and, unless its first event holds it as one short text, the text of its messages. */
const ROWS_AND_TASKS = "json_each(:rows) AS row CROSS JOIN task ON task.id = row.value ->> 0";
const TEXT = `coalesce(row.value ->> 1, (SELECT event.body ->> '$.input.parts[0].text' FROM event WHERE event.task = task.id AND event.seq = 1), '')`;

const SESSIONS = namedStatement(
  `INSERT INTO session (id, opening, origin, state, created_at, updated_at)
SELECT context, CASE WHEN EXISTS (SELECT 1 FROM session WHERE session.id = context AND session.opening <> '') THEN '' ELSE substr(${TEXT}, 1, ${OPENING_CHARS}) END,
origin, state, created_at, updated_at FROM ${ROWS_AND_TASKS} WHERE true
ON CONFLICT (id) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at,
opening = iif(session.opening = '', excluded.opening, session.opening)
WHERE excluded.updated_at >= session.updated_at`,
);
const TURNS = namedStatement(
  `INSERT INTO session_turn (session, task, origin, state, created_at, updated_at)
SELECT session.no, task.id, task.origin, task.state, task.created_at, task.updated_at
FROM ${ROWS_AND_TASKS} CROSS JOIN session ON session.id = task.context
WHERE NOT EXISTS (SELECT 1 FROM session_turn AS away WHERE away.session = -session.no AND away.task = task.id)
ON CONFLICT (session, task) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at`,
);
const TEXTS = namedStatement(
  `INSERT OR REPLACE INTO session_text (rowid, text) SELECT session_turn.no, ${TEXT}
FROM ${ROWS_AND_TASKS} CROSS JOIN session ON session.id = task.context
CROSS JOIN session_turn ON session_turn.session = session.no AND session_turn.task = task.id`,
);
/** What happens in a version happens in the conversation that is listed for it. */
const WHOLES = namedStatement(
  `UPDATE session SET state = part.state, updated_at = part.updated_at FROM (
SELECT session.version_of AS id, session.state, max(session.updated_at) AS updated_at
FROM ${ROWS_AND_TASKS} CROSS JOIN session ON session.id = task.context WHERE session.version_of IS NOT NULL GROUP BY 1) AS part
WHERE session.id = part.id AND part.updated_at >= session.updated_at`,
);
const HAS_VERSIONS = namedStatement("SELECT 1 FROM session WHERE version_of IS NOT NULL LIMIT 1");
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
 * What waits to be written: ids alone, for the store has the rest. Views or rows kept here would outlive their turns and
 * be moved by the garbage collector in every burst.
 */
class WaitingTasks {
  readonly tasks: string[] = [];
  readonly sessions: string[] = [];
  /** Those that a title is due of. */
  readonly untitled: string[] = [];
  /** Of the few tasks whose first event does not hold it. */
  readonly texts = new Map<string, string>();

  push(view: Readonly<TaskView>, wantsTitle: boolean): void {
    this.tasks.push(view.id);
    if (wantsTitle) this.untitled.push(view.context);
    // What is done for a call has a conversation of its own, which is in no list.
    if (view.role === undefined) this.sessions.push(view.context);
    if (!isShortText(view)) this.texts.set(view.id, callerText(view));
  }

  /** These before those that came since. */
  before(later: WaitingTasks): WaitingTasks {
    const all = new WaitingTasks();
    for (const { tasks, sessions, untitled, texts } of [this, later]) {
      all.tasks.push(...tasks);
      all.sessions.push(...sessions);
      all.untitled.push(...untitled);
      for (const [task, text] of texts) all.texts.set(task, text);
    }
    return all;
  }
}

export class SessionIndex implements JournalReader {
  readonly name = "sessions";
  readonly #options: SessionIndexOptions;
  #waiting = new WaitingTasks();
  /** Undefined: not read yet. */
  #hasVersions: boolean | undefined;

  constructor(options: SessionIndexOptions) {
    this.#options = options;
  }

  take(view: Readonly<TaskView>, events: readonly CommittedEvent[]): number {
    if (view.class !== OPERATOR_CLASS) return 0;
    if (!changesSession(events)) return 0;
    this.#push(view);
    return 1;
  }

  replay(view: Readonly<TaskView>): void {
    if (view.class === OPERATOR_CLASS) this.#push(view);
  }

  #push(view: Readonly<TaskView>): void {
    this.#waiting.push(view, this.#options.titles.wants(view));
  }

  async flush(upTo: number | undefined): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = new WaitingTasks();
    const tasks = [...new Set(waiting.tasks)];
    const { db, titles } = this.#options;
    const untitled = waiting.untitled.length > 0;
    const end = untitled ? [titles.due(JSON.stringify(waiting.untitled))] : [];
    if (upTo !== undefined) end.push(MOVE.bind({ at: upTo }));
    try {
      this.#hasVersions ??= (await db.read(HAS_VERSIONS.bind({}))).length > 0;
      for (let start = 0; start < tasks.length || (start === 0 && end.length > 0); start += ROWS) {
        const some = tasks.slice(start, start + ROWS);
        const last = start + ROWS >= tasks.length;
        await db.commit({
          label: "session.index",
          statements: [
            ...(some.length === 0 ? [] : written(some, waiting.texts, this.#hasVersions)),
            ...(last ? end : []),
          ],
        });
      }
    } catch (error) {
      this.#waiting = waiting.before(this.#waiting);
      throw error;
    }
    if (untitled) titles.wake();
    const { bus } = this.#options;
    for (const id of new Set(waiting.sessions)) bus.publish("session.changed", { session_id: id });
  }

  /** From now on there are versions: without any their conversations are not looked for. */
  versionAdded(): void {
    this.#hasVersions = true;
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

function written(
  tasks: readonly string[],
  texts: ReadonlyMap<string, string>,
  hasVersions: boolean | undefined,
): Statement[] {
  const rows = JSON.stringify(tasks.map((task) => [task, texts.get(task)]));
  const all = [SESSIONS, TURNS, TEXTS, ...(hasVersions === true ? [WHOLES] : [])];
  return all.map((statement) => statement.bind({ rows }));
}

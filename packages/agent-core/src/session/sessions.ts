import type { EventBus } from "../bus/index.ts";
import type { Clock } from "../clock/index.ts";
import { type Database, DatabaseError, namedStatement, type Row, type Statement } from "../database/index.ts";
import type { TaskState } from "../event/index.ts";
import type { Redactor } from "../redaction/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import { contextKey, type TurnQueue } from "../task/index.ts";
import { type MatchPage, matchesIn, TURNS_SEARCHED } from "./find-in-turns.ts";
import { forPeople } from "./for-people.ts";
import { type FileContent, type FilePlace, readFileContent } from "./message-file.ts";
import { readTurns, type TurnPage, type TurnRange } from "./read-turns.ts";
import { redactedTurn } from "./redacted-turn.ts";
import { searchQuery } from "./search-query.ts";
import { TooManyPinnedError, UnknownFileError, UnknownSessionError } from "./session-error.ts";
import { openingOf } from "./session-row.ts";
import { turnVersions, versionSessions } from "./session-versions.ts";
import { SAID, shownMatches, TITLED } from "./shown-matches.ts";

/** A conversation of the operator class. Times are epoch milliseconds. */
export interface SessionRecord {
  /** The context's id. */
  readonly id: string;
  /** A person's, else a model's, else the start of the first message; empty where that holds no text. */
  readonly title: string;
  /** Whether `title` is a person's. */
  readonly titled: boolean;
  /** A person keeps it on top of the list. */
  readonly pinned: boolean;
  /** It began incognito: nothing of it stays once it ends. */
  readonly incognito: boolean;
  /** What its first task came from. */
  readonly origin: string;
  readonly turns: number;
  /** A turn runs or waits in it now. */
  readonly active: boolean;
  /** Of the task that changed last. */
  readonly state: TaskState;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The conversation that is listed for it, where it is a version of one of that conversation's turns (SV2). */
  readonly versionOf?: string | undefined;
  /** The version with the newest turn, itself included; absent: there is none beside it. */
  readonly latestVersion?: string;
  /** The session a person forked it off, and the last turn it took along; `title` undefined: that one was deleted. */
  readonly forkedFrom?: { readonly session: string; readonly turn: string; readonly title: string | undefined };
  /** Messages that stay stored and that the model is not shown any more; known of a single session only. */
  readonly outOfSight?: number;
  /** Whether a summary replaces some of those. */
  readonly summarised?: boolean;
}

/** Where a page of sessions ended. */
export interface SessionCursor {
  readonly at: number;
  readonly no: number;
}

/** Part of the list, newest change first. */
export interface SessionPage {
  readonly sessions: readonly SessionRecord[];
  readonly next: SessionCursor | undefined;
}

/** Which sessions a list holds. */
export interface SessionFilter {
  readonly after?: SessionCursor;
  readonly search?: string;
  readonly pinned?: boolean;
}

export interface SessionsOptions {
  readonly db: Database;
  /** Who runs and waits now. */
  readonly queue: Pick<TurnQueue, "held">;
  /** Resolves when the index holds what was committed before. Never rejects. */
  readonly current: () => Promise<void>;
  readonly bus: EventBus;
  readonly clock: Pick<Clock, "now">;
  /** Takes secrets out of what is returned (S5). */
  readonly redactor: Redactor;
}

/** Later than any session. */
const NEWEST: SessionCursor = { at: Number.MAX_SAFE_INTEGER, no: Number.MAX_SAFE_INTEGER };

/** Conversations on top of the list; together they are read at once. */
export const MOST_PINNED = 50;

/** A version has this of its conversation (SV2). */
const ofWhole = (column: string): string =>
  `CASE WHEN s.version_of IS NULL THEN s.${column} ELSE (SELECT whole.${column} FROM session AS whole WHERE whole.id = s.version_of) END`;
const COLUMNS = `s.no, s.id, ${ofWhole("title")}, ${ofWhole("opening")}, s.origin, s.turns, s.state, s.created_at, s.updated_at,
${ofWhole("headline")}, ${ofWhole("pinned_at")}, s.version_of,
EXISTS (SELECT 1 FROM incognito_turn AS i WHERE i.context = s.id AND i.whole = 1 AND i.class = 'operator'),
(SELECT json_group_array(v.id) FROM session AS v WHERE v.version_of = s.id),
CASE WHEN s.version_of IS NOT NULL OR EXISTS (SELECT 1 FROM session AS v WHERE v.version_of = s.id) THEN (
SELECT v.id FROM session AS v CROSS JOIN session_turn AS t ON t.session = v.no
WHERE v.id = coalesce(s.version_of, s.id) OR v.version_of = coalesce(s.version_of, s.id) ORDER BY t.task DESC, v.no LIMIT 1) END`;
/** The first condition is the index's. */
const LISTED =
  "s.origin NOT IN ('subagent', 'background', 'operator') AND s.origin <> 'auxiliary' AND s.version_of IS NULL";
const OLDER = "(s.updated_at, s.no) < (:at, :no)";
const ORDER = "ORDER BY s.updated_at DESC, s.no DESC LIMIT :limit";

const LIST = namedStatement(`SELECT ${COLUMNS} FROM session AS s WHERE ${LISTED} AND ${OLDER} ${ORDER}`);
const LIST_UNPINNED = namedStatement(
  `SELECT ${COLUMNS} FROM session AS s WHERE ${LISTED} AND s.pinned_at IS NULL AND ${OLDER} ${ORDER}`,
);
const LIST_PINNED = namedStatement(
  `SELECT ${COLUMNS} FROM session AS s WHERE s.pinned_at IS NOT NULL ORDER BY s.pinned_at DESC, s.no LIMIT ${MOST_PINNED}`,
);
const SEARCH = namedStatement(
  `WITH said AS (${SAID}), titled AS (${TITLED}),
found AS (SELECT t.session AS no FROM said CROSS JOIN session_turn AS t ON t.no = said.no UNION SELECT -no FROM titled),
listed AS (SELECT DISTINCT coalesce(whole.no, part.no) AS no FROM found CROSS JOIN session AS part ON part.no = found.no
LEFT JOIN session AS whole ON whole.id = part.version_of)
SELECT ${COLUMNS} FROM listed CROSS JOIN session AS s ON s.no = listed.no WHERE ${LISTED} AND ${OLDER} ${ORDER}`,
);
const READ = namedStatement(`SELECT ${COLUMNS} FROM session AS s WHERE s.id = :id`);
const VIEW = namedStatement(
  `SELECT json_extract(body, '$.outOfSight'), json_extract(body, '$.text') <> '' FROM message
WHERE class = 'operator' AND context = :id AND kind = 'compaction' ORDER BY id DESC LIMIT 1`,
);
const FORKED_FROM = namedStatement(
  `SELECT coalesce(whole.id, base.id, fork.base), fork.turn, coalesce(whole.title, whole.headline, base.title, base.headline),
coalesce(whole.opening, base.opening) FROM session AS s CROSS JOIN session_fork AS fork ON fork.session = s.no
LEFT JOIN session AS base ON base.id = fork.base LEFT JOIN session AS whole ON whole.id = base.version_of
WHERE s.id = :id AND s.version_of IS NULL`,
);
/** Without a title a model gives none either: the person wants the first words. */
const RENAME = namedStatement(
  "UPDATE session SET title = :title, headline = iif(:title IS NULL, NULL, headline), titling = '' WHERE id = :id",
);
const PIN = namedStatement(
  `UPDATE session SET pinned_at = coalesce(pinned_at, :at) WHERE id = :id AND (pinned_at IS NOT NULL
OR (SELECT count(*) FROM session WHERE pinned_at IS NOT NULL) < ${MOST_PINNED})`,
);
const UNPIN = namedStatement("UPDATE session SET pinned_at = NULL WHERE id = :id");
const REMOVE_TITLE = namedStatement("DELETE FROM session_text WHERE rowid = (SELECT -no FROM session WHERE id = :id)");
const ADD_TITLE = namedStatement(
  // Words that were in the search index once can be found in its file.
  `INSERT OR REPLACE INTO session_text (rowid, text) SELECT -no, coalesce(title, headline) FROM session WHERE id = :id
AND coalesce(title, headline) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM incognito_turn WHERE class = 'operator' AND context = :id AND whole = 1)`,
);

/** The sessions of a store: what people see of the conversations (B33). */
export class Sessions {
  readonly #options: SessionsOptions;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /**
   * A page of the sessions, newest change first. `search`: only those with a message or title that holds all its words;
   * of very common words the newest 4,000 messages that hold them count. None is found by a part of a secret, so a page may hold
   * fewer than `limit` before the last one. `pinned` true: those alone, the one pinned last
   * first, all of them; false: all others.
   */
  async list(limit: number, { after, search, pinned }: SessionFilter = {}): Promise<SessionPage> {
    const query = search === undefined ? undefined : searchQuery(search);
    if (search !== undefined && query === undefined) return { sessions: [], next: undefined };
    await this.#options.current();
    if (pinned === true && query === undefined) {
      const rows = await this.#options.db.read(LIST_PINNED.bind({}));
      return { sessions: rows.map((row) => this.#recordOf(row)), next: undefined };
    }
    const range = { ...(after ?? NEWEST), limit: limit + 1 };
    const list = pinned === false ? LIST_UNPINNED : LIST;
    const statement = query === undefined ? list.bind(range) : SEARCH.bind({ ...range, query });
    const rows = await this.#options.db.read(statement, "long");
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const wanted = { ...this.#options, search: search ?? "", query: query ?? "" };
    const shown = query === undefined ? page : await shownMatches(page, wanted);
    const more = rows.length > limit && last !== undefined;
    return {
      sessions: shown.map((row) => this.#recordOf(row)),
      next: more ? { at: Number(last[8]), no: Number(last[0]) } : undefined,
    };
  }

  /** The record of a session. @throws UnknownSessionError */
  async read(id: string): Promise<SessionRecord> {
    await this.#options.current();
    const { db } = this.#options;
    const [[row], [view], [fork]] = await Promise.all([
      db.read(READ.bind({ id })),
      db.read(VIEW.bind({ id })),
      db.read(FORKED_FROM.bind({ id })),
    ]);
    if (row === undefined) throw new UnknownSessionError(id);
    return {
      ...this.#recordOf(row),
      ...(fork && { forkedFrom: this.#baseOf(fork) }),
      outOfSight: Number(view?.[0] ?? 0),
      summarised: view?.[1] === 1,
    };
  }

  /**
   * Keeps a session on top of the list, or no longer.
   * @throws UnknownSessionError, TooManyPinnedError
   */
  async pin(id: string, pinned: boolean): Promise<SessionRecord> {
    const { versionOf: whole = id } = await this.read(id);
    const { db, bus, clock } = this.#options;
    const change = pinned ? PIN.bind({ id: whole, at: clock.now() }) : UNPIN.bind({ id: whole });
    try {
      await db.commit({ label: "session.pin", expect: change, statements: [] });
    } catch (error) {
      if (error instanceof DatabaseError && error.code === "expectation_failed")
        throw new TooManyPinnedError(MOST_PINNED);
      throw error;
    }
    bus.publish("session.changed", { session_id: whole });
    return this.read(id);
  }

  /** Gives a session a title; null: the start of its first message again. @throws UnknownSessionError */
  async rename(id: string, title: string | null): Promise<SessionRecord> {
    const { versionOf: whole = id } = await this.read(id);
    const statements = [RENAME.bind({ id: whole, title }), ...this.titleStatements(whole)];
    await this.#options.db.commit({ label: "session.rename", statements });
    this.#options.bus.publish("session.changed", { session_id: whole });
    return this.read(id);
  }

  /** A page of a session's turns, newest first by default. @throws UnknownSessionError */
  async turns(id: string, range: TurnRange): Promise<TurnPage> {
    const { versionOf: root = id } = await this.read(id);
    const { db, redactor } = this.#options;
    const [page, versions] = await Promise.all([readTurns(db, id, range), turnVersions(db, { root, shown: id })]);
    const turns = page.turns.map((turn) => {
      const alternatives = versions.get(turn.task);
      return { ...forPeople(redactedTurn(turn, redactor)), ...(alternatives && { versions: alternatives }) };
    });
    return { ...page, turns };
  }

  /** The sessions of the conversation that one belongs to, its versions and itself, with the last turn each took along. */
  async versions(id: string): Promise<readonly { readonly id: string; readonly after: string }[]> {
    const { versionOf: root = id } = await this.read(id);
    return versionSessions(this.#options.db, root);
  }

  /**
   * The turns that hold a text, newest first, among the 200 turns at most that come after `after`.
   * @throws UnknownSessionError
   */
  async find(id: string, text: string, after?: string): Promise<MatchPage> {
    return matchesIn(await this.turns(id, { limit: TURNS_SEARCHED, after }), text);
  }

  /** The content of a file that went with a message. @throws UnknownFileError */
  async file(place: FilePlace): Promise<FileContent> {
    await this.#options.current();
    const found = await readFileContent(this.#options.db, place, this.#options.redactor);
    if (found === undefined) throw new UnknownFileError();
    return found;
  }

  /** What writes the title of a session into the search again, for the command that changes it. */
  titleStatements(id: string): Statement[] {
    return [REMOVE_TITLE, ADD_TITLE].map((statement) => statement.bind({ id }));
  }

  #recordOf(row: Row): SessionRecord {
    const [, id, title, opening, origin, turns, state, createdAt, updatedAt, ...more] = row;
    const [headline, pinnedAt, versionOf, incognito, versions, latest] = more;
    const given = title ?? headline;
    return {
      id: String(id),
      title: this.#options.redactor.text(given == null ? openingOf(String(opening)) : String(given)),
      titled: title !== null,
      pinned: pinnedAt !== null,
      incognito: incognito === 1,
      origin: String(origin),
      turns: Number(turns),
      active: [String(id), ...(JSON.parse(String(versions)) as string[])].some((context) =>
        this.#options.queue.held(contextKey({ class: OPERATOR_CLASS, context })),
      ),
      state: String(state) as TaskState,
      createdAt: Number(createdAt),
      updatedAt: Number(updatedAt),
      ...(versionOf === null ? {} : { versionOf: String(versionOf) }),
      ...(latest === null ? {} : { latestVersion: String(latest) }),
    };
  }

  #baseOf([session, turn, title, opening]: Row): SessionRecord["forkedFrom"] {
    const { redactor } = this.#options;
    const shown = title ?? (typeof opening === "string" ? openingOf(opening) : undefined);
    return {
      session: String(session),
      turn: String(turn),
      title: typeof shown === "string" ? redactor.text(shown) : undefined,
    };
  }
}

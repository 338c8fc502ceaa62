/** Reads from the engine's store what a summary is made of. */
import { type Database, namedStatement } from "../database/index.ts";
import { openingOf, readTurns, type SessionTurn } from "../session/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import type { SummarySurface } from "./session-summary.ts";

/** Turns that are summed up. */
const MOST_TURNS = 20;

/** A version is part of the conversation that is listed for it. */
const SESSION = namedStatement(
  `SELECT coalesce(whole.id, s.id), coalesce(whole.opening, s.opening), coalesce(whole.origin, s.origin)
   FROM session AS s LEFT JOIN session AS whole ON whole.id = s.version_of WHERE s.id = :id`,
);
const OUTSIDE = namedStatement(
  `SELECT 1 FROM message WHERE class = '${OPERATOR_CLASS}' AND context = :id AND kind = 'tainted' LIMIT 1`,
);
/** Its own ones, and those it shows of what it was forked from. */
const INCOGNITO = namedStatement(
  `SELECT i.task FROM incognito_turn AS i WHERE i.class = '${OPERATOR_CLASS}' AND (i.context = :id OR EXISTS
   (SELECT 1 FROM session_turn AS t WHERE t.session = (SELECT no FROM session WHERE id = :id) AND t.task = i.task))`,
);
/** Turns of a conversation of which nothing is kept. @throws DatabaseError */
export async function hiddenTurns(db: Database, id: string): Promise<ReadonlySet<string>> {
  return new Set((await db.read(INCOGNITO.bind({ id }))).map(([task]) => String(task)));
}

/** The first condition is that of the list's index. */
const CHANGED = namedStatement(
  `SELECT id FROM session WHERE origin NOT IN ('subagent', 'background', 'operator') AND origin <> 'auxiliary'
   AND version_of IS NULL AND updated_at >= :since ORDER BY updated_at DESC, no DESC LIMIT :limit`,
);

/** A conversation and its newest turns, the newest first. */
export interface SessionSource {
  /** The session that is listed for it. */
  readonly session: string;
  readonly surface: SummarySurface;
  readonly topic: string;
  readonly outside: boolean;
  readonly turns: readonly SessionTurn[];
}

export class SessionSources {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Undefined: the session is gone, or no turn of it is to be kept. @throws DatabaseError */
  async read(id: string): Promise<SessionSource | undefined> {
    const [[row], [outside], hidden] = await Promise.all([
      this.#db.read(SESSION.bind({ id })),
      this.#db.read(OUTSIDE.bind({ id }), "long"),
      hiddenTurns(this.#db, id),
    ]);
    if (row === undefined) return undefined;
    const [session, opening, origin] = row.map(String);
    const page = await readTurns(this.#db, id, { limit: MOST_TURNS });
    const turns = page.turns.filter(({ task }) => !hidden.has(task));
    if (turns.length === 0) return undefined;
    return {
      ...{ session: session ?? id, surface: surfaceOf(origin ?? ""), topic: openingOf(opening ?? "") },
      ...{ outside: outside !== undefined, turns },
    };
  }

  /** What memories of a conversation are stored with; undefined: it is gone. @throws DatabaseError */
  async about(id: string): Promise<Pick<SessionSource, "topic" | "outside"> | undefined> {
    const [[row], [outside]] = await Promise.all([
      this.#db.read(SESSION.bind({ id })),
      this.#db.read(OUTSIDE.bind({ id }), "long"),
    ]);
    return row && { topic: openingOf(String(row[1])), outside: outside !== undefined };
  }

  /** Sessions in which something happened since a time in epoch milliseconds, the newest first. @throws DatabaseError */
  async changedSince(since: number, limit: number): Promise<readonly string[]> {
    return (await this.#db.read(CHANGED.bind({ since, limit }), "long")).map(([id]) => String(id));
  }
}

function surfaceOf(origin: string): SummarySurface {
  switch (origin) {
    case "chat":
    case "board":
      return "chat";
    case "schedule":
    case "watch":
    case "inbox":
    case "goal":
      return "activity";
    case "background":
      return "background";
    default:
      return "a2a/other";
  }
}

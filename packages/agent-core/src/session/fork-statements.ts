/** What writes a fork: a session with the turns of another up to one, and the row that names what it is shown of them. */
import type { Clock } from "../clock/index.ts";
import { viewAfter } from "../context/index.ts";
import { type Database, namedStatement, type Statement } from "../database/index.ts";
import type { Journal } from "../journal/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";

/** A fork that is to be written. */
export interface NewFork {
  /** What it is a fork of. */
  readonly id: string;
  readonly fork: string;
  /** The last turn it takes along; empty: none. */
  readonly turn: string;
  readonly title?: string | undefined;
  /** The session that is listed for it; absent: it is listed itself. */
  readonly versionOf?: string;
}

const NO = "(SELECT no FROM session WHERE id = :id)";
const OF_FORK = "(SELECT no FROM session WHERE id = :fork)";
const COLUMNS = "task, origin, state, created_at, updated_at";
const FORK = namedStatement(
  `INSERT INTO session (id, title, opening, origin, state, created_at, updated_at, version_of)
SELECT :fork, :title, coalesce(title, headline, opening), 'chat', 'completed', :at, :at, :versionOf FROM session WHERE id = :id
AND (:turn = '' OR EXISTS (SELECT 1 FROM session_turn WHERE session = session.no AND task = :turn))`,
);
const TITLE = namedStatement(
  "INSERT INTO session_text (rowid, text) SELECT -no, title FROM session WHERE id = :fork AND title IS NOT NULL",
);
const TURNS = namedStatement(
  `INSERT INTO session_turn (session, ${COLUMNS}) SELECT ${OF_FORK}, ${COLUMNS} FROM session_turn WHERE session = ${NO} AND task <= :turn ORDER BY no`,
);
const STATE = namedStatement(
  "UPDATE session SET state = (SELECT state FROM session_turn WHERE session = session.no AND task = :turn) WHERE id = :fork",
);
const BASE = namedStatement(
  `INSERT OR REPLACE INTO session_fork (session, base, turn) VALUES (${OF_FORK}, :id, :turn)`,
);

/** The statements of one command that write the fork. The first one changes nothing where the turn has gone meanwhile. */
export async function forkStatements(
  { db, journal, clock }: { readonly db: Database; readonly journal: Journal; readonly clock: Pick<Clock, "now"> },
  { id, fork, turn, title, versionOf }: NewFork,
): Promise<readonly [Statement, ...Statement[]]> {
  const at = clock.now();
  const session = FORK.bind({ id, fork, turn, title: title ?? null, at, versionOf: versionOf ?? null });
  const base = BASE.bind({ id, fork, turn });
  // Where it takes no turn along there is nothing to be shown.
  if (turn === "") return [session, base];
  const { statements } = journal;
  const body = await viewAfter(db, statements, { class: OPERATOR_CLASS, context: id }, { turn, base: id });
  const view = { class: OPERATOR_CLASS, context: fork, task: "", kind: "compaction", body, at };
  return [
    session,
    ...[TITLE.bind({ fork }), TURNS.bind({ id, fork, turn }), STATE.bind({ fork, turn }), base],
    statements.insertMessage.bind(view),
  ];
}

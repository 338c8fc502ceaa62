/**
 * Iterates over ended tasks in the order they ended. A terminal state is final (EN3), so a task is due once for each
 * round of removal, and a stored cursor holds the last task of the round: where nothing is due, nothing is read.
 */
import { type Database, namedStatement, type Statement } from "../database/index.ts";

/** What is removed: pieces of streamed text, what a turn was made of, what a turn pushed out, whole conversations. */
export type RetentionRound = "deltas" | "details" | "newcomers" | "conversations";

/** An ended task that is due. */
export interface DueTask {
  readonly id: string;
  readonly class: string;
  readonly context: string;
  readonly state: string;
  readonly parent: string | null;
}

/** Tasks of one commit, so that none holds the writer for long. */
const BATCH = 50;

const ENDED = "(state = 'completed' OR state = 'failed' OR state = 'canceled')";

const CURSOR = namedStatement("SELECT at, task FROM retention_cursor WHERE round = :round");
const MOVE = namedStatement(
  `INSERT INTO retention_cursor (round, at, task) VALUES (:round, :at, :task)
ON CONFLICT (round) DO UPDATE SET at = excluded.at, task = excluded.task`,
);
const DUE = namedStatement(
  `SELECT id, class, context, state, parent, updated_at FROM task
WHERE ${ENDED} AND (updated_at, id) > (:at, :task) AND updated_at < :before ORDER BY updated_at, id LIMIT :limit`,
);

/** The last task that a round has visited. */
export interface RoundCursor {
  readonly at: number;
  readonly task: string;
}

/** Before every task. */
const START: RoundCursor = { at: 0, task: "" };

/** Reads the cursor of a round; undefined: it never began. */
export async function roundCursor(db: Database, round: RetentionRound): Promise<RoundCursor | undefined> {
  const [row] = await db.read(CURSOR.bind({ round }));
  return row === undefined ? undefined : { at: Number(row[0]), task: String(row[1]) };
}

/** The statement that stores a round's cursor, for the command that removes. */
export function moveRound(round: RetentionRound, cursor: RoundCursor): Statement {
  return MOVE.bind({ round, ...cursor });
}

/** Times are epoch milliseconds. */
export interface RoundRange {
  readonly now: number;
  /** Tasks that ended before it are due. */
  readonly before: number;
}

/**
 * Visits the tasks that are due, in the order they ended; what `visit` returns is committed together with the cursor.
 * Resolves with how many were visited. @throws DatabaseError; what was committed stays done
 */
export async function eachDue(
  db: Database,
  round: RetentionRound,
  { now, before }: RoundRange,
  visit: (tasks: readonly DueTask[]) => Promise<readonly Statement[]>,
): Promise<number> {
  const stored = (await roundCursor(db, round)) ?? START;
  let cursor = stored;
  // A clock that was ahead and was set back would leave out what ends until it comes there again. Stored, or each round
  // would begin at its own end.
  if (stored.at > now) {
    cursor = { at: before, task: "" };
    await db.commit({ label: "journal.retention", statements: [moveRound(round, cursor)] });
  }
  for (let visited = 0; ; ) {
    const rows = await db.read(DUE.bind({ ...cursor, before, limit: BATCH }));
    const last = rows.at(-1);
    if (last === undefined) return visited;
    const tasks = rows.map(
      ([id, callerClass, context, state, parent]): DueTask => ({
        id: String(id),
        class: String(callerClass),
        context: String(context),
        state: String(state),
        parent: parent === null || parent === undefined ? null : String(parent),
      }),
    );
    cursor = { at: Number(last[5]), task: String(last[0]) };
    const statements = await visit(tasks);
    await db.commit({ label: "journal.retention", statements: [...statements, moveRound(round, cursor)] });
    visited += rows.length;
  }
}

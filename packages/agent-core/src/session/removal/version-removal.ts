/** What becomes of the versions of a session that is removed. */
import { type Database, namedStatement, type Statement } from "../../database/index.ts";

const VERSIONS = namedStatement("SELECT id FROM session WHERE version_of = :id ORDER BY updated_at DESC, no DESC");
const INHERIT = [
  namedStatement(
    `UPDATE session SET version_of = NULL, title = whole.title, headline = whole.headline, titling = '', pinned_at = whole.pinned_at
FROM (SELECT title, headline, pinned_at FROM session WHERE id = :id) AS whole WHERE session.id = :heir`,
  ),
  namedStatement("UPDATE session SET version_of = :heir WHERE version_of = :id"),
];

/** Where a version parts from the others: whoever took turns of its own along parts there too, from then on in its place. */
const OWN =
  "own AS (SELECT fork.turn, fork.base FROM session_fork AS fork JOIN session AS s ON s.no = fork.session WHERE s.id = :id AND s.version_of IS NOT NULL)";
const CHILDREN = `child AS (SELECT fork.session, fork.turn FROM session_fork AS fork JOIN session AS s ON s.no = fork.session WHERE fork.base = :id AND s.version_of IS NOT NULL)`;
const PASS_ON = [
  namedStatement(
    `WITH ${OWN}, ${CHILDREN} UPDATE session_fork SET turn = (SELECT turn FROM own)
WHERE session = (SELECT min(child.session) FROM child, own WHERE child.turn > own.turn)`,
  ),
  namedStatement(
    `WITH ${OWN}, ${CHILDREN} UPDATE session_fork SET base = (SELECT base FROM own)
WHERE session IN (SELECT session FROM child) AND EXISTS (SELECT 1 FROM own)`,
  ),
];

/** The versions of the conversation that a session is listed for, the newest first. */
export async function versionsBeside(db: Database, id: string): Promise<readonly string[]> {
  return (await db.read(VERSIONS.bind({ id }))).map(([version]) => String(version));
}

/**
 * For the command that removes a session: the newest of its versions is listed for the others from then on. Of a version:
 * those that were made of it stay where they are among the others (SV1).
 */
export async function handOver(db: Database, id: string): Promise<readonly Statement[]> {
  const [heir] = await versionsBeside(db, id);
  const inherited = heir === undefined ? [] : INHERIT.map((statement) => statement.bind({ id, heir }));
  return [...PASS_ON.map((statement) => statement.bind({ id })), ...inherited];
}

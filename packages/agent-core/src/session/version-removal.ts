/** What becomes of the versions of a session that is removed. */
import { type Database, namedStatement, type Statement } from "../database/index.ts";

const VERSIONS = namedStatement("SELECT id FROM session WHERE version_of = :id ORDER BY updated_at DESC, no DESC");
const INHERIT = [
  namedStatement(
    `UPDATE session SET version_of = NULL, title = whole.title, headline = whole.headline, titling = '', pinned_at = whole.pinned_at
FROM (SELECT title, headline, pinned_at FROM session WHERE id = :id) AS whole WHERE session.id = :heir`,
  ),
  namedStatement("UPDATE session SET version_of = :heir WHERE version_of = :id"),
];

/** The versions of the conversation that a session is listed for, the newest first. */
export async function versionsBeside(db: Database, id: string): Promise<readonly string[]> {
  return (await db.read(VERSIONS.bind({ id }))).map(([version]) => String(version));
}

/** For the command that removes a session: the newest of its versions is listed for the others from then on. */
export async function handOver(db: Database, id: string): Promise<readonly Statement[]> {
  const [heir] = await versionsBeside(db, id);
  return heir === undefined ? [] : INHERIT.map((statement) => statement.bind({ id, heir }));
}

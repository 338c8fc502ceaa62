import { type Database, namedStatement } from "../database/index.ts";

/** Newest calls that are looked through: the rows are in the order of their ids, and those are in the order of time. */
const MOST = 5_000;
const FAILED = namedStatement(
  `SELECT name, count(*) FROM (SELECT name, outcome, started_at FROM call ORDER BY id DESC LIMIT ${MOST})
   WHERE outcome IN ('error', 'unknown') AND started_at >= :since GROUP BY name ORDER BY 2 DESC, 1 LIMIT 10`,
);

/** How many of the newest calls failed, or ended nobody knows how, by tool; most first. @throws DatabaseError */
export async function failuresByTool(
  db: Database,
  since: number,
): Promise<readonly { readonly tool: string; readonly failures: number }[]> {
  const rows = await db.read(FAILED.bind({ since }), "long");
  return rows.map(([tool, failures]) => ({ tool: String(tool), failures: Number(failures) }));
}

import { DatabaseSync } from "node:sqlite";

/** What outlives its task: what is found through tasks alone, keys of requests for a day (A15), and the ledger of slots (G4). */
const OUTLIVING = ["activity", "idempotency", "schedule_run"];

/** What a store holds that nothing leads to any more, and whether it is whole. */
export function strayRows(file: string): readonly string[] {
  const db = new DatabaseSync(file);
  try {
    const found: string[] = [];
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as { name: string }[];
    for (const { name } of tables) {
      const columns = db.prepare(`PRAGMA table_info("${name}")`).all() as { name: string }[];
      if (name === "task" || OUTLIVING.includes(name) || !columns.some((column) => column.name === "task")) continue;
      const sql = `SELECT count(*) AS n FROM "${name}" WHERE task <> '' AND task NOT IN (SELECT id FROM task)`;
      const { n } = db.prepare(sql).get() as { n: number };
      if (n > 0) found.push(`${n} rows of ${name} are of tasks that are gone`);
    }
    const { lost } = db
      .prepare(
        "SELECT count(*) AS lost FROM task WHERE class = 'operator' AND context NOT IN (SELECT id FROM session) AND context NOT LIKE '%:%' AND json_extract(options, '$.purpose') IS NULL",
      )
      .get() as { lost: number };
    if (lost > 0) found.push(`${lost} tasks are in no session`);
    const { integrity_check: whole } = db.prepare("PRAGMA integrity_check").get() as { integrity_check: string };
    if (whole !== "ok") found.push(`the store is damaged: ${whole}`);
    return found;
  } finally {
    db.close();
  }
}

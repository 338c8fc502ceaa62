import { type Database, namedStatement } from "../database/index.ts";
import type { TaskState } from "../event/index.ts";

const STATES = namedStatement(
  "SELECT task.id, task.state FROM json_each(:tasks) AS one CROSS JOIN task ON task.id = one.value",
);

/** The states of tasks, by id; those that do not exist are left out. @throws DatabaseError */
export async function readTaskStates(
  db: Pick<Database, "read">,
  tasks: readonly string[],
): Promise<ReadonlyMap<string, TaskState>> {
  const rows = await db.read(STATES.bind({ tasks: JSON.stringify(tasks) }));
  return new Map(rows.map(([id, state]) => [String(id), String(state) as TaskState]));
}

import { type Database, namedStatement } from "../database/index.ts";
import type { Toolbox } from "../tool/index.ts";

/** What a call of a task did. */
export interface TaskCall {
  readonly name: string;
  /** Null: it has none. */
  readonly outcome: string | null;
}

const CALLS = namedStatement(
  `SELECT name, outcome FROM call WHERE task IN (SELECT id FROM task WHERE id = :task OR parent = :task)
   ORDER BY started_at LIMIT 500`,
);

/** The calls of a task and of those it delegated to, in the order they began; at most 500. @throws DatabaseError */
export async function callsOfTask(db: Database, task: string): Promise<readonly TaskCall[]> {
  const rows = await db.read(CALLS.bind({ task }));
  return rows.map(([name, outcome]) => ({ name: String(name), outcome: outcome === null ? null : String(outcome) }));
}

/** Whether a task may have done something that must not be done twice. @throws DatabaseError */
export async function hadEffects(db: Database, task: string, toolbox: Toolbox): Promise<boolean> {
  const calls = await callsOfTask(db, task);
  return calls.some(({ name, outcome }) => {
    if (outcome !== null && outcome !== "ok" && outcome !== "unknown") return false;
    const tool = toolbox.get(name);
    // Another turn makes its calls under other keys.
    return (tool?.effect ?? "effect") === "effect" || tool?.oncePerCall === true;
  });
}

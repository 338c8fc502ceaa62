import { DatabaseSync } from "node:sqlite";

interface OpenTask {
  readonly id: string;
  readonly state: string;
  readonly seq: number;
  readonly last: string | null;
  readonly calls: number;
  readonly open: string | null;
  readonly prompts: number;
}

/** What of a store has not come to its end, for the report of a trial that hangs: tasks, their open calls and their prompts. */
export function describeOpen(file: string): string {
  try {
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      const tasks = db
        .prepare(
          "SELECT t.id, t.state, t.seq, (SELECT kind FROM event AS e WHERE e.task = t.id ORDER BY e.seq DESC LIMIT 1) AS last, " +
            "(SELECT count(*) FROM call AS c WHERE c.task = t.id) AS calls, " +
            "(SELECT group_concat(c.name, ', ') FROM call AS c WHERE c.task = t.id AND c.outcome IS NULL) AS open, " +
            "(SELECT count(*) FROM prompt AS p WHERE p.task = t.id) AS prompts " +
            "FROM task AS t WHERE t.state NOT IN ('completed', 'failed', 'canceled')",
        )
        .all() as unknown as OpenTask[];
      if (tasks.length === 0) return "every task has ended";
      return tasks
        .map(
          ({ id, state, seq, last, calls, open, prompts }) =>
            `task ${id} is ${state} at event ${seq} (${last ?? "none"}) with ${calls} calls, open: ${open ?? "none"}, ${prompts} prompts`,
        )
        .join("\n");
    } finally {
      db.close();
    }
  } catch (error) {
    return `its store cannot be read: ${String(error)}`;
  }
}

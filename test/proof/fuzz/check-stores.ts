/** Looks into a store once its service has stopped: nothing that was acknowledged is missing, and nothing is damaged. */
import { DatabaseSync } from "node:sqlite";
import type { FuzzLedger } from "./fuzz-ledger.ts";
import type { FuzzProcess } from "./fuzz-process.ts";
import { TERMINAL } from "./shapes.ts";

/** Sums over a store. */
export interface StoreFigures {
  readonly tasks: number;
  readonly events: number;
  readonly parked: number;
}

interface TaskRow {
  readonly id: string;
  readonly state: string;
  readonly seq: number;
  readonly events: number;
  readonly last: number;
  readonly end: string;
}

/** EN2, EN3, EN9 and the store's own integrity. */
export function checkStore({ name, store }: FuzzProcess, ledger: FuzzLedger): StoreFigures {
  const db = new DatabaseSync(store);
  const blame = (text: string): void => ledger.blame(undefined, `${name}: ${text}`);
  try {
    const integrity = db.prepare("PRAGMA integrity_check").all();
    if (JSON.stringify(integrity) !== '[{"integrity_check":"ok"}]') blame(`damaged: ${JSON.stringify(integrity)}`);
    // Numbers are a primary key with the task, so as many as the last one means that none is missing.
    const rows = db
      .prepare(
        `SELECT t.id, t.state, t.seq, count(e.seq) AS events, coalesce(max(e.seq), 0) AS last,
           coalesce((SELECT kind FROM event WHERE task = t.id ORDER BY seq DESC LIMIT 1), '') AS "end"
         FROM task t LEFT JOIN event e ON e.task = t.id GROUP BY t.id`,
      )
      .all() as unknown as TaskRow[];
    const states = new Map(rows.map((row) => [row.id, row.state]));
    for (const { id, state, seq, events, last, end } of rows) {
      if (events !== seq || last !== seq) blame(`EN2: task ${id} at ${seq} has ${events} events, the last ${last}`);
      const terminal = TERMINAL.includes(state);
      if (terminal && end !== `task.${state}`) blame(`EN3: task ${id} is ${state} and ends with ${end}`);
      if (!terminal && state !== "parked") blame(`TU1: task ${id} is ${state} and has no runner`);
    }
    const internal = db.prepare(
      `SELECT task FROM event WHERE kind = 'task.failed' AND body LIKE '%"code":"internal"%'`,
    );
    for (const { task } of internal.all()) blame(`task ${String(task)} failed for a reason of the engine's own`);
    for (const [id, known] of ledger.tasks) {
      if (known.instance !== name) continue;
      const state = states.get(id);
      if (state === undefined) blame(`EN9: acknowledged task ${id} is not in the store`);
      else if (known.ended !== undefined && known.ended !== state) blame(`EN3: ${id} was ${known.ended}, is ${state}`);
    }
    const count = rows.reduce((sum, { events }) => sum + events, 0);
    return { tasks: rows.length, events: count, parked: rows.filter(({ state }) => state === "parked").length };
  } finally {
    db.close();
  }
}

/** The inbox and the task board after the last process ended: nothing accepted is lost, everything is taken once. */
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Job } from "./jobs.ts";
import type { Ledger } from "./ledger.ts";
import type { OnRestart } from "./service-life.ts";

interface ItemRow {
  readonly id: number;
  readonly text: string;
  readonly priority: number;
  readonly taken_by: string | null;
}
interface CallRow {
  readonly id: string;
  readonly name: string;
  readonly args: string;
  readonly outcome: string | null;
  readonly result: string | null;
}
interface TurnRow {
  readonly id: string;
  readonly accepted: string;
  readonly ended: string;
}
interface IssueRow {
  readonly id: number;
  readonly title: string;
}

/** Sums for the report. */
export interface WorkFigures {
  readonly items: number;
  /** Turns that items started. */
  readonly itemTurns: number;
  readonly issues: number;
}

/** What the judge goes by. */
export interface WorkAsked {
  readonly jobs: readonly Job[];
  readonly ledger: Ledger;
  readonly onRestart: OnRestart;
}

interface Work {
  readonly items: readonly ItemRow[];
  readonly calls: readonly CallRow[];
  readonly turns: readonly TurnRow[];
}

function rowsOf<T>(db: DatabaseSync, sql: string): T[] {
  return db.prepare(sql).all() as T[];
}

function readWork(file: string): Work {
  const db = new DatabaseSync(file);
  try {
    return {
      items: rowsOf<ItemRow>(db, "SELECT id, text, priority, taken_by FROM inbox"),
      calls: rowsOf<CallRow>(
        db,
        "SELECT id, name, args, outcome, result FROM call WHERE name IN ('check_inbox', 'task_create')",
      ),
      turns: rowsOf<TurnRow>(
        db,
        "SELECT t.id, a.body AS accepted, e.body AS ended FROM task AS t JOIN event AS a ON a.task = t.id AND a.seq = 1 JOIN event AS e ON e.task = t.id AND e.seq = t.seq WHERE t.origin = 'inbox'",
      ),
    };
  } finally {
    db.close();
  }
}

/** IN1, IN2: which turn or call got an item, for good. */
function checkItem(item: ItemRow, { calls, turns }: Work, { ledger, onRestart }: WorkAsked): void {
  const blame = (what: string): void => ledger.blame(`inbox item ${item.id} (${item.text}) ${what}`);
  const heading = `[Inbox item ${item.id}, `;
  const readers = calls.filter(({ outcome, result }) => outcome === "ok" && result?.includes(heading) === true);
  const own = turns.filter(({ accepted }) => accepted.includes(heading));
  const last = own.filter(({ ended }) => !ended.includes('"code":"interrupted"'));
  if (readers.length + last.length > 1) blame(`was taken by ${[...readers, ...last].map(({ id }) => id).join(", ")}`);
  if (onRestart !== "fail" && own.length > 1) blame(`started ${own.length} turns`);
  if (item.priority === 0 && item.taken_by === null) blame("still waits although it is to start a turn");
  if (item.taken_by === null && readers.length > 0) blame(`waits, and call ${readers[0]?.id} got it`);
  // Taken by a call without an outcome, it waits again at the next read.
  const taker = calls.find(({ id }) => id === item.taken_by);
  if (taker?.outcome === "ok" && !readers.includes(taker))
    blame(`is lost: call ${taker.id} took it and did not get it`);
  if (item.taken_by !== null && taker === undefined && !own.some(({ id }) => id === item.taken_by))
    blame(`is lost: ${item.taken_by} took it, and is neither a call nor a turn with it`);
}

function checkIssues(
  issues: readonly IssueRow[],
  remembered: readonly string[],
  { calls }: Work,
  ledger: Ledger,
): void {
  for (const [title, same] of Map.groupBy(issues, (issue) => issue.title)) {
    if (same.length > 1) ledger.blame(`IB2: ${title} was put on the board ${same.length} times`);
  }
  const made = calls.filter(({ name }) => name === "task_create");
  for (const { id, args, outcome } of made) {
    const { title } = JSON.parse(args) as { title: string };
    if (outcome === "ok" && !issues.some((issue) => issue.title === title))
      ledger.blame(`EN9: call ${id} put ${title} on the board; it is not there`);
  }
  const known = new Set(made.map(({ id }) => id));
  for (const call of remembered) {
    if (call.startsWith("call_") && !known.has(call))
      ledger.blame(`EN5: the board knows of call ${call}, which has no intent`);
  }
}

/** The file of the issues; undefined where it was not used, or where all that began to make it were killed at that. */
function openBoard(file: string): DatabaseSync | undefined {
  if (!existsSync(file)) return undefined;
  const db = new DatabaseSync(file);
  if (rowsOf(db, "SELECT 1 FROM sqlite_schema WHERE name = 'issue'").length > 0) return db;
  db.close();
  return undefined;
}

/** Checks what was left for the agent. `board`: the file of its issues. */
export function checkWork(file: string, board: string, asked: WorkAsked): WorkFigures {
  const { ledger, jobs } = asked;
  const work = readWork(file);
  const db = openBoard(board);
  const issues = db === undefined ? [] : rowsOf<IssueRow>(db, "SELECT id, title FROM issue");
  const remembered = db === undefined ? [] : rowsOf<{ call: string }>(db, "SELECT call FROM carried_out");
  db?.close();
  for (const item of work.items) checkItem(item, work, asked);
  checkIssues(
    issues,
    remembered.map(({ call }) => call),
    work,
    ledger,
  );
  for (const { token, path, id } of ledger.puts) {
    if (path.startsWith("/api/tools/")) continue;
    const rows: readonly { id: number; text?: string; title?: string }[] = path === "/api/inbox" ? work.items : issues;
    const row = rows.find((one) => String(one.id) === id || `task-${one.id}` === id);
    if (!(row?.text ?? row?.title)?.includes(token))
      ledger.blame(`EN9: ${token} was accepted as ${id}; it is not there`);
  }
  for (const { token, put } of jobs) {
    if (put === undefined) continue;
    const same = [...work.items.map(({ text }) => text), ...issues.map(({ title }) => title)];
    const count = same.filter((text) => text.includes(`${token} is done`) || text === `issue ${token}`).length;
    if (count > 1) ledger.blame(`A15: ${token} was left ${count} times`);
  }
  return { items: work.items.length, itemTurns: work.turns.length, issues: issues.length };
}

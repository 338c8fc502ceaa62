/** What the agent remembered, after the last process ended: nothing confirmed is lost, nothing is there twice (KM1). */
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Ledger } from "./ledger.ts";

/** Sums for the report. */
export interface MemoryFigures {
  readonly memories: number;
  /** Memories that another one replaced. */
  readonly replaced: number;
}

interface MemoryRow {
  readonly id: number;
  readonly content: string;
  readonly subject: string;
  readonly superseded_by: number | null;
}
interface CallRow {
  readonly id: string;
  readonly args: string;
  readonly outcome: string | null;
  readonly result: string | null;
}

function rowsOf<T>(db: DatabaseSync, sql: string): T[] {
  return db.prepare(sql).all() as T[];
}

function readCalls(file: string): CallRow[] {
  const db = new DatabaseSync(file);
  try {
    return rowsOf(db, "SELECT id, args, outcome, result FROM call WHERE name = 'memory_ingest'");
  } finally {
    db.close();
  }
}

/** The file of the memories; undefined where it was not used, or where all that began to make it were killed at that. */
function openMemories(file: string): DatabaseSync | undefined {
  if (!existsSync(file)) return undefined;
  const db = new DatabaseSync(file);
  if (rowsOf(db, "SELECT 1 FROM sqlite_schema WHERE name = 'chunk'").length > 0) return db;
  db.close();
  return undefined;
}

/** `file`: of the tasks. `knowledge`: of the memories. */
export function checkMemory(file: string, knowledge: string, ledger: Ledger): MemoryFigures {
  const calls = readCalls(file);
  const db = openMemories(knowledge);
  const memories =
    db === undefined ? [] : rowsOf<MemoryRow>(db, "SELECT id, content, subject, superseded_by FROM chunk ORDER BY id");
  for (const [content, same] of Map.groupBy(memories, (one) => one.content))
    if (same.length > 1) ledger.blame(`KM1: ${content} was remembered ${same.length} times`);
  for (const [subject, same] of Map.groupBy(memories, (one) => one.subject)) {
    const standing = same.filter((one) => one.superseded_by === null);
    if (standing.length > 1 || standing[0] !== same.at(-1))
      ledger.blame(`K7: at ${subject} stand ${standing.map(({ id }) => id).join(", ")} of ${same.length}`);
  }
  for (const { id, args, outcome, result } of calls) {
    const { content } = JSON.parse(args) as { content: string };
    const kept = memories.find((one) => one.content === content);
    if (outcome === "ok" && (kept === undefined || result?.includes(`Stored memory ${kept.id} in`) !== true))
      ledger.blame(`KM1: call ${id} remembered ${content} (${result}), and there is ${kept?.id}`);
  }
  if (db !== undefined) {
    for (const { call } of rowsOf<{ call: string }>(db, "SELECT call FROM carried_out"))
      if (!calls.some(({ id }) => id === call)) ledger.blame(`EN5: memory knows of call ${call}, which has no intent`);
    db.exec("INSERT INTO chunk_text (chunk_text, rank) VALUES ('integrity-check', 1)");
    for (const { integrity_check: found } of rowsOf<{ integrity_check: string }>(db, "PRAGMA integrity_check"))
      if (found !== "ok") ledger.blame(`the file of memories: ${found}`);
    db.close();
  }
  return { memories: memories.length, replaced: memories.filter((one) => one.superseded_by !== null).length };
}

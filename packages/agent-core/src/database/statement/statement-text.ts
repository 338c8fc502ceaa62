import { DatabaseError } from "../database-error.ts";

/** Properties of a statement, read from its text without preparing it. */
export interface StatementText {
  readonly sql: string;
  /** How many `?` it has. */
  readonly parameters: number;
  /** Whether its first keyword writes; such a statement belongs in a command, any other in a read. */
  readonly writes: boolean;
}

const WRITES: ReadonlySet<string> = new Set([
  "INSERT",
  "UPDATE",
  "DELETE",
  "REPLACE",
  "CREATE",
  "DROP",
  "ALTER",
  "REINDEX",
  "ANALYZE",
]);
const READS: ReadonlySet<string> = new Set(["SELECT", "VALUES", "PRAGMA", "EXPLAIN"]);

/** A quoted piece or a comment: nothing in it is a parameter or the end of a statement. */
const SKIPPED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/**
 * Reads a statement's text: one statement, `?` placeholders only.
 * A group's transaction must not be ended from within, so `BEGIN`, `COMMIT`, `ATTACH` and the like are refused; the
 * count of placeholders is checked here because the binding keeps the last value of one that is left out.
 * @throws DatabaseError `misuse`
 */
export function readStatementText(sql: string): StatementText {
  const bare = sql.replace(SKIPPED, (piece) => (piece.startsWith("-") || piece.startsWith("/") ? " " : "''"));
  if (/;\s*\S/.test(bare)) throw misuse("holds more than one statement", sql);
  if (/\?\d|[:@$][A-Za-z_]/.test(bare)) throw misuse("names its parameters; only ? is bound", sql);
  return { sql, parameters: bare.split("?").length - 1, writes: changesSomething(bare, sql) };
}

function changesSomething(bare: string, sql: string): boolean {
  const first = /^\s*([A-Za-z]+)/.exec(bare)?.[1]?.toUpperCase() ?? "";
  if (first === "WITH") return /\b(?:INSERT|UPDATE|DELETE|REPLACE)\b/i.test(bare.replace(/\breplace\s*\(/gi, "("));
  if (WRITES.has(first)) return true;
  if (READS.has(first)) return false;
  throw misuse(`must not begin with ${first === "" ? "nothing" : first}`, sql);
}

function misuse(what: string, sql: string): DatabaseError {
  return new DatabaseError("misuse", `the statement ${what}: ${sql.length > 200 ? `${sql.slice(0, 200)}…` : sql}`);
}

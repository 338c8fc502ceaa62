import { DatabaseError, type DatabaseErrorCode } from "./database-error.ts";

/** SQLite's result codes (sqlite.org/rescode.html) by what they mean to a caller. */
const MEANING: readonly (readonly [RegExp, DatabaseErrorCode])[] = [
  [/^SQLITE_CONSTRAINT/, "constraint"],
  [/^SQLITE_FULL/, "full"],
  [/^SQLITE_(?:ERROR|RANGE|MISMATCH|TOOBIG|MISUSE|AUTH)/, "misuse"],
  [/^SQLITE_/, "unwritable"],
];

/** Turns what the binding threw into the error the port promises. */
export function fromNativeError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const { message = String(error), code = "" } = error as { message?: string; code?: unknown };
  return new DatabaseError(errorCode(String(code), message), message, { cause: error });
}

/** The meaning of an SQLite result code with its message; also used for a server's errors, which carry the same. */
export function errorCode(code: string, message: string): DatabaseErrorCode {
  // A full disk shows as an input/output error where the file system refuses to grow the log.
  if (/disk is full|ENOSPC|no space left/i.test(message)) return "full";
  for (const [pattern, meaning] of MEANING) if (pattern.test(code)) return meaning;
  return /BigInt|bind|parameter/i.test(message) ? "misuse" : "unwritable";
}

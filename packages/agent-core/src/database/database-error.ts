import { CodedError } from "../error/index.ts";

/** What can go wrong in the store. `code` is stable (architecture rule 8). */
export type DatabaseErrorCode =
  /** A command's compare-and-set did not match. Terminal for that command. */
  | "expectation_failed"
  /** A unique, check or foreign-key constraint refused a statement. Terminal for that command. */
  | "constraint"
  /** The disk is full: nothing was accepted (S7). Retryable later. */
  | "full"
  /** More commands or reads wait than the store takes: nothing was accepted (EN10). Retryable at once. */
  | "overloaded"
  /** The store cannot be opened or written. */
  | "unwritable"
  /** Another process holds a live lease (R12). */
  | "in_use"
  /** This process lost its lease; it must not write any more (EN11). */
  | "lease_lost"
  /** A file of the store was deleted or replaced: what is committed now would be lost with the process (EN9). */
  | "file_lost"
  /** The store was closed. */
  | "closed"
  /** The server behind a URL, or a file's disk, did not answer in time, or answered nonsense. Retryable. */
  | "unreachable"
  /** A statement or argument is wrong: a bug of the caller. */
  | "misuse";

const RETRYABLE: ReadonlySet<DatabaseErrorCode> = new Set(["full", "overloaded", "unreachable"]);

/** A failed command, read or open. */
export class DatabaseError extends CodedError<DatabaseErrorCode> {
  override readonly name = "DatabaseError";

  /**
   * Whoever asked may ask again. The engine itself repeats only what `isStoreUnavailable` covers: repeating what was
   * refused for too many commands would keep them too many.
   */
  override get retryable(): boolean {
    return RETRYABLE.has(this.code);
  }
}

const GONE: readonly DatabaseErrorCode[] = ["closed", "lease_lost", "file_lost"];

/** Whether the store takes no writes for now: it is full, or out of reach. */
export function isStoreUnavailable(error: unknown): error is DatabaseError & { readonly code: "full" | "unreachable" } {
  return error instanceof DatabaseError && (error.code === "full" || error.code === "unreachable");
}

/** Whether this process can use the store no more: what is left to do is the next process's. */
export function isStoreGone(error: unknown): boolean {
  return error instanceof DatabaseError && GONE.includes(error.code);
}

/** Whether a constraint refused the command: what it would have added is there already, in most cases. */
export function isConstraintError(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === "constraint";
}

/** Whether the command's compare-and-set did not match: what it was decided on had changed. */
export function isExpectationError(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === "expectation_failed";
}

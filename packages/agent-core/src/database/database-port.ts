/**
 * The database port. Callers submit commands; there are no transactions to hold open.
 *
 * Invariants
 *  DB1  A command is applied whole or not at all, and never half seen.
 *  DB2  Commands take effect in the order they were submitted.
 *  DB3  `commit` resolves only after the transaction that holds the command is durable (EN9).
 *  DB4  A command whose expectation fails rejects alone; its neighbours in the group commit.
 *  DB5  Every commit checks the lease's epoch (EN11); a lost lease rejects every later commit.
 *  DB6  A read started after a commit resolved sees it.
 */

/** What can be bound and read. Booleans and undefined are refused before they reach the binding. */
export type Value = string | number | bigint | null | Uint8Array;

/** One SQL statement with its arguments, `?` placeholders by position. The text is prepared once per connection. */
export interface Statement {
  readonly sql: string;
  readonly args: readonly Value[];
}

/** A unit of change. */
export interface Command {
  /** Names the commit boundary for failpoints and logs, for example `turn.close`. */
  readonly label: string;
  /** A compare-and-set: must change exactly one row, else nothing else of the command is applied. */
  readonly expect?: Statement;
  readonly statements: readonly Statement[];
  /**
   * The log, which may hold what it deletes, is emptied: for texts that must not be found in the files any more. Costs a
   * checkpoint. The rows are overwritten in any case; what their pages may keep goes with `eraseRemains`. A server decides for itself.
   */
  readonly overwrite?: boolean;
}

/** One row: values in the order of the selected columns. */
export type Row = readonly Value[];

/**
 * The state of a store: `full`, it refused the last commit for lack of space; `failing`, it did not take it for another reason,
 * a silent server or a broken disk; `lost`, nothing will be committed any more, and the process is about to end.
 */
export type StoreState = "ok" | "full" | "failing" | "lost";

/** A store: commands that are applied as a whole, and reads. */
export interface Database {
  /** Whether what is committed survives the process. */
  readonly durable: boolean;
  /** For people: the file, address or `memory`; never a token. */
  readonly description: string;
  readonly state: StoreState;
  /**
   * Applies a command; resolves when it is durable.
   * @throws DatabaseError
   */
  commit(command: Command): Promise<void>;
  /**
   * Runs a query apart from the writer. `long`: one that may look at many rows, which never holds up a commit, not even
   * of another file in the same thread. @throws DatabaseError
   */
  read(statement: Statement, how?: "long"): Promise<readonly Row[]>;
  /**
   * Overwrites what pages of the file still hold of rows that are gone, a few pages at a time, and empties the log. Takes a second
   * for 400 MB, between other commits. Calls that come together share it. A server decides for itself. @throws DatabaseError
   */
  eraseRemains(): Promise<void>;
  /** Flushes what was submitted, releases the lease and closes. */
  close(): Promise<void>;
}

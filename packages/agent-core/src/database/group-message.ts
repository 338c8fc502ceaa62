import type { DatabaseErrorCode } from "./database-error.ts";
import type { Command, Row, Statement, Value } from "./database-port.ts";
import type { LeaseClaim } from "./lease/lease.ts";
import type { StatementTable } from "./statement/statement-table.ts";
import type { ConnectionOptions, ReadBounds } from "./store-connection.ts";
import type { FoundFile } from "./store-files.ts";

/*
 * What crosses between the main thread and a store thread. A group is one flat array, because structured clone walks
 * a flat array of primitives many times faster than objects:
 *   command   = flags (`EXPECTS`, `EMPTIES_LOG`), number of statements (the expectation included), statement…
 *   statement = number in the statement table, number of arguments, argument…
 */

/** Flag of a command: its first statement is an expectation. */
export const EXPECTS = 1;
/** Flag of a command: the log, which may hold what it deletes, is emptied behind it. */
export const EMPTIES_LOG = 2;

/** Texts the thread lacks; `afresh` when it must forget the ones it has. */
export interface LearnTexts {
  readonly texts: readonly string[];
  readonly afresh: boolean;
}

export interface StoreThreadData {
  readonly connection: ConnectionOptions;
  readonly bounds: ReadBounds;
  /** The files that must be there: a reader makes none, and reads no others. */
  readonly files?: readonly FoundFile[];
  /** Present for the writer; a thread without it only reads. `now`: milliseconds since 1970 by the host's clock. */
  readonly writer?: { readonly claim: LeaseClaim; readonly migrations: string; readonly now: number };
}

/** To a store thread. Each is answered by one reply, in order. */
export type StoreRequest =
  | ({ readonly kind: "group"; readonly commands: readonly Value[] } & LearnTexts)
  | ({ readonly kind: "queries"; readonly queries: readonly Value[] } & LearnTexts)
  /** Overwrites what pages hold beside rows, from a page on; without one it empties the log. */
  | { readonly kind: "erase"; readonly from?: number }
  | { readonly kind: "renew"; readonly expiresAt: number }
  | { readonly kind: "open" }
  | { readonly kind: "close" };

/** A request for one of the thread's files; `data` comes with the first and opens it. */
export interface StoreThreadMessage {
  readonly file: number;
  readonly request: StoreRequest;
  readonly data?: StoreThreadData;
}

/** An error as data; classes do not survive the crossing. */
export interface ErrorData {
  readonly code: DatabaseErrorCode;
  readonly message: string;
}

/** Which command of a group was refused, and why. */
export interface CommandFailure extends ErrorData {
  readonly index: number;
}

/** From a store thread. */
export type StoreReply =
  /** `files`: those it consists of. */
  | { readonly kind: "opened"; readonly files: readonly FoundFile[] }
  /** `failures` is absent when every command of the group is durable. */
  | { readonly kind: "group"; readonly failures?: readonly CommandFailure[] }
  /** `ms`: what they took the thread, without the way there and back. */
  | { readonly kind: "queries"; readonly results: readonly (readonly Row[] | ErrorData)[]; readonly ms: number }
  /** `next`: the page to go on with. */
  | { readonly kind: "erased"; readonly next?: number; readonly isLogEmpty: boolean }
  | { readonly kind: "renewed"; readonly held: boolean }
  | { readonly kind: "closed" }
  /** The request as a whole failed. */
  | { readonly kind: "failed"; readonly error: ErrorData };

/** Writes commands as one flat array. */
export function writeCommands(commands: readonly Command[], table: StatementTable): Value[] {
  const out: Value[] = [];
  for (const command of commands) {
    const { expect, statements, overwrite } = command;
    const flags = (expect === undefined ? 0 : EXPECTS) | (overwrite === true ? EMPTIES_LOG : 0);
    out.push(flags, statements.length + (expect === undefined ? 0 : 1));
    if (expect !== undefined) writeStatement(out, expect, table);
    for (const statement of statements) writeStatement(out, statement, table);
  }
  return out;
}

/** Writes statements as one flat array. */
export function writeStatements(statements: readonly Statement[], table: StatementTable): Value[] {
  const out: Value[] = [];
  for (const statement of statements) writeStatement(out, statement, table);
  return out;
}

function writeStatement(out: Value[], statement: Statement, table: StatementTable): void {
  const { args } = statement;
  out.push(table.number(statement.sql).id, args.length);
  for (const value of args) out.push(value);
}

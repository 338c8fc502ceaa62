import { DatabaseError } from "./database-error.ts";
import type { Value } from "./database-port.ts";
import { type CommandFailure, EMPTIES_LOG, EXPECTS } from "./group-message.ts";
import { fromNativeError } from "./native-error.ts";
import type { StoreConnection } from "./store-connection.ts";

/** Raises `lease_lost` unless the lease is still held; called inside each transaction (DB5). */
export type LeaseCheck = () => void;

/** A position in a flat group, see group-message.ts. */
interface Cursor {
  at: number;
}

/** Failures of the store, not of one command: the whole group was refused and nothing of it is durable. */
const OF_THE_STORE: ReadonlySet<string> = new Set(["full", "unwritable", "lease_lost"]);

/**
 * Applies a group of commands as one transaction (DB1 to DB5). Returns the errors of those that were refused.
 *
 * A command whose expectation changed no row is skipped: nothing of it was done, so nothing need be undone. Any other
 * error undoes the transaction, and the commands are applied one by one, so that only the one at fault is refused.
 * @throws DatabaseError `full`, `unwritable`, `lease_lost`: nothing of the group is durable
 */
export function applyGroup(
  connection: StoreConnection,
  group: readonly Value[],
  checkLease: LeaseCheck,
): CommandFailure[] {
  try {
    return inTransaction(connection, checkLease, () => {
      const failures: CommandFailure[] = [];
      const cursor = { at: 0 };
      for (let index = 0; cursor.at < group.length; index += 1) {
        if (!applyCommand(connection, group, cursor)) failures.push(expectationFailed(index));
      }
      return failures;
    });
  } catch (error) {
    const failed = fromNativeError(error);
    if (OF_THE_STORE.has(failed.code)) throw failed;
    return applyOneByOne(connection, group, checkLease);
  }
}

function applyOneByOne(connection: StoreConnection, group: readonly Value[], checkLease: LeaseCheck): CommandFailure[] {
  const failures: CommandFailure[] = [];
  let at = 0;
  for (let index = 0; at < group.length; index += 1) {
    const cursor = { at };
    at = endOfCommand(group, at);
    try {
      const done = inTransaction(connection, checkLease, () => applyCommand(connection, group, cursor));
      if (!done) failures.push(expectationFailed(index));
    } catch (error) {
      const { code, message } = fromNativeError(error);
      failures.push({ index, code, message });
    }
  }
  return failures;
}

/** Does something in one transaction, which the lease allows. */
export function inTransaction<T>(connection: StoreConnection, checkLease: LeaseCheck, action: () => T): T {
  connection.begin();
  try {
    checkLease();
    const result = action();
    connection.commit();
    return result;
  } catch (error) {
    connection.rollback();
    throw error;
  }
}

/** @returns false when the expectation changed no row */
function applyCommand(connection: StoreConnection, group: readonly Value[], cursor: Cursor): boolean {
  const end = endOfCommand(group, cursor.at);
  const flags = group[cursor.at] as number;
  const expects = (flags & EXPECTS) !== 0;
  const statements = group[cursor.at + 1] as number;
  cursor.at += 2;
  if ((flags & EMPTIES_LOG) !== 0) connection.forgetLog();
  return applyStatements(connection, group, cursor, { statements, expects, end });
}

function applyStatements(
  connection: StoreConnection,
  group: readonly Value[],
  cursor: Cursor,
  { statements, expects, end }: { readonly statements: number; readonly expects: boolean; readonly end: number },
): boolean {
  for (let i = 0; i < statements; i += 1) {
    const id = group[cursor.at] as number;
    const from = cursor.at + 2;
    cursor.at = from + (group[cursor.at + 1] as number);
    const changes = connection.change(id, group.slice(from, cursor.at));
    if (i > 0 || !expects || changes === 1) continue;
    cursor.at = end;
    if (changes === 0) return false;
    throw new DatabaseError("expectation_failed", `the expectation changed ${changes} rows instead of one`);
  }
  return true;
}

function endOfCommand(group: readonly Value[], at: number): number {
  let end = at + 2;
  for (let left = group[at + 1] as number; left > 0; left -= 1) end += 2 + (group[end + 1] as number);
  return end;
}

function expectationFailed(index: number): CommandFailure {
  return { index, code: "expectation_failed", message: "the expected row was not there or had changed" };
}

import { DatabaseError } from "./database-error.ts";
import type { Row } from "./database-port.ts";
import { acquireLease, type Lease, type LeaseClaim, releaseLease } from "./lease/lease.ts";
import { loadMigrations, type Migration, migrationScript, pendingMigrations } from "./migration.ts";
import type { SetupConnection } from "./setup-connection.ts";

const HISTORY = "SELECT number, checksum FROM schema_migration ORDER BY number";
const HAS_HISTORY = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_migration'";
const HAS_ANYTHING = "SELECT 1 FROM sqlite_master LIMIT 1";

/**
 * Brings a store to the point where commands can be served: its schema fits the code, and this process owns it.
 *
 * The order matters. A store that is too new is refused before anything is changed; the lease is taken before the
 * schema changes, so that no other process works on a schema that moves under it; a copy is made before the first
 * change of a store that holds something. A new store gets its tables as a whole: forced to the disk once, not once a
 * migration.
 * @param mark what a new store gets with its tables
 * @throws DatabaseError `in_use`, `unwritable`, `full`, `unreachable`
 */
export async function prepareStore(
  connection: SetupConnection,
  folder: string,
  claim: LeaseClaim,
  now: () => number,
  mark = "",
): Promise<Lease> {
  const known = loadMigrations(folder);
  const heldSomething = (await connection.query(HAS_ANYTHING)).length > 0;
  let applied = await history(connection);
  if (applied.length === 0) {
    try {
      for (const ground of known.slice(0, 1)) await connection.script(migrationScript(ground, now()));
    } catch (error) {
      // Two processes may open a new store at once; the one that came second finds the ground laid.
      if ((await history(connection)).length === 0) throw error;
    }
    applied = await history(connection);
  }
  pendingOf(connection, known, applied);
  const lease = await acquireLease(connection, claim, now);
  try {
    // Read again: another process may have migrated between the first read and the lease.
    const pending = pendingOf(connection, known, await history(connection));
    const isNew = !heldSomething && pending.length === known.length - 1;
    if (pending[0] !== undefined && heldSomething) connection.backUp?.(pending[0].number);
    const scripts = pending.map((migration) => migrationScript(migration, now()));
    if (isNew) await connection.script([...scripts, mark].join("\n"));
    else for (const script of scripts) await connection.script(script);
  } catch (error) {
    await Promise.resolve(releaseLease(connection, lease.epoch)).catch(() => undefined);
    throw error;
  }
  return lease;
}

/** @throws DatabaseError `unwritable`, naming the store: a service has several */
function pendingOf(
  { description }: SetupConnection,
  known: readonly Migration[],
  applied: readonly Row[],
): readonly Migration[] {
  try {
    return pendingMigrations(known, applied);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw new DatabaseError(error.code, `${description}: ${error.message}`);
  }
}

async function history(connection: SetupConnection): Promise<readonly Row[]> {
  return (await connection.query(HAS_HISTORY)).length === 0 ? [] : connection.query(HISTORY);
}

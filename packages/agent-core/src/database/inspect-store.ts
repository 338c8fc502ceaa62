import { existsSync, statSync } from "node:fs";
import type Libsql from "libsql";
import type { Row } from "./database-port.ts";
import { hasSurelyEnded, ownIdentity } from "./lease/process-identity.ts";
import { loadMigrations, pendingMigrations } from "./migration.ts";
import { fromNativeError } from "./native-error.ts";
import { shippedMigrations } from "./shipped-migrations.ts";

/** A store's file as read by a process that does not own it. */
export interface InspectedStore {
  /** False: the first start makes it. */
  readonly exists: boolean;
  /** Of the file and its log. */
  readonly bytes: number;
  /** Why a start could not use it; undefined: it could. */
  readonly problem?: string;
  /** Steps of the schema that the next start applies, after a copy. */
  readonly pending: number;
  /** Whether its pages were checked: large files are not, it would take minutes. */
  readonly checked: boolean;
  /** The process that owns it now. */
  readonly owner?: { readonly name: string; readonly pid: number; readonly host: string };
}

/** Bytes of the largest file whose pages are checked. */
const MAX_CHECKED = 256 << 20;
const LEASE = "SELECT owner, pid, host, boot, started, expires_at FROM lease WHERE id = 1";

/**
 * Looks at the file of a store without taking it (R12): the service may run meanwhile, and nothing is changed.
 * `now` in milliseconds since 1970. Does not throw for what is wrong with the file.
 */
export async function inspectStore(path: string, now: number): Promise<InspectedStore> {
  if (!existsSync(path)) return { exists: false, bytes: 0, pending: 0, checked: false };
  const bytes = [path, `${path}-wal`].reduce((sum, file) => sum + (existsSync(file) ? statSync(file).size : 0), 0);
  const facts = { exists: true, bytes, pending: 0, checked: false };
  let db: Libsql.Database | undefined;
  try {
    // Here alone the native binding is wanted in this thread: a service has it in its store's.
    const { default: Database } = await import("libsql");
    db = new Database(path, { timeout: 1_000 });
    const query = (sql: string): Row[] => db?.prepare(sql).raw(true).all() as Row[];
    const applied = query("SELECT number, checksum FROM schema_migration ORDER BY number");
    const pending = pendingMigrations(loadMigrations(shippedMigrations("tasks")), applied).length;
    const checked = bytes <= MAX_CHECKED;
    const sound = checked ? String(query("PRAGMA quick_check(1)")[0]?.[0]) : "ok";
    const owner = ownerOf(query(LEASE)[0], now);
    return { ...facts, pending, checked, ...(sound !== "ok" && { problem: sound }), ...(owner && { owner }) };
  } catch (error) {
    return { ...facts, problem: fromNativeError(error).message };
  } finally {
    db?.close();
  }
}

function ownerOf(row: Row | undefined, now: number): InspectedStore["owner"] {
  if (row === undefined) return undefined;
  const [name, pid, host, boot, started, expiresAt] = row;
  const identity = { pid: Number(pid), host: String(host), boot: String(boot), started: String(started) };
  if (Number(expiresAt) <= now || hasSurelyEnded(identity, ownIdentity())) return undefined;
  return { name: String(name), pid: identity.pid, host: identity.host };
}

import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Clock, systemClock } from "../clock/index.ts";
import { DatabaseError } from "./database-error.ts";
import type { Database } from "./database-port.ts";
import { EmbeddedBackend } from "./embedded-backend.ts";
import { type Failpoints, withFailpoints } from "./failpoints.ts";
import type { LeaseClaim } from "./lease/lease.ts";
import { ownIdentity } from "./lease/process-identity.ts";
import { type StoreSchema, shippedMigrations } from "./shipped-migrations.ts";
import { StatementTable } from "./statement/statement-table.ts";
import { Store, type StoreBackend } from "./store.ts";
import type { Synchronous } from "./store-connection.ts";
import type { StoreThreads } from "./store-host.ts";

export interface OpenDatabaseOptions {
  /**
   * `file:` and a path (taken literally; relative to the working directory; `file://` is read as a URL), `:memory:`,
   * or a server's `libsql://`, `https://` or `http://` URL (R11).
   */
  readonly url: string;
  /** The server's token. Appears in no message. */
  readonly authToken?: string | undefined;
  /** Who holds the lease (R12); the name is shown to whoever finds the store in use. */
  readonly owner: { readonly name: string };
  /** Default: the machine's. */
  readonly clock?: Clock | undefined;
  /** Tests only. */
  readonly failpoints?: Failpoints | undefined;
  /**
   * How long the lease outlives its owner where no one can check whether the process runs, in milliseconds.
   * Default 10,000, on a server 30,000.
   */
  readonly leaseMs?: number | undefined;
  /** Which of the schemas shipped in this package the store has. Default `tasks`. */
  readonly schema?: StoreSchema | undefined;
  /** A folder of migrations instead of the shipped ones. */
  readonly migrations?: string | undefined;
  /** Threads shared with other files. Default: threads of its own. Files only. */
  readonly threads?: StoreThreads | undefined;
  /** Called once when nothing can be committed any more: the lease is lost, or the store's thread has ended. */
  readonly onLeaseLost?: ((error: DatabaseError) => void) | undefined;
  /** Default `full`: what was committed survives power loss (EN9). Files only. */
  readonly synchronous?: Synchronous | undefined;
  /** The size in bytes the file may grow to; beyond it commits are refused as `full`. Files and memory only. */
  readonly maxBytes?: number | undefined;
}

const LEASE_MS = { embedded: 10_000, remote: 30_000 };

/**
 * Opens a store: applies the migrations after a copy of the file, takes the lease, and serves commands.
 * @throws DatabaseError `in_use` (naming the owner), `unwritable`, `full`, `unreachable`, `misuse`
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { clock = systemClock(), onLeaseLost, failpoints } = options;
  const path = storePath(options.url);
  const leaseMs = options.leaseMs ?? (path === undefined ? LEASE_MS.remote : LEASE_MS.embedded);
  const texts = new StatementTable();
  const claim: LeaseClaim = { ...ownIdentity(), name: options.owner.name, leaseMs, commitId: randomUUID() };
  let store: Store | undefined;
  const onDeath = (error: DatabaseError): void => store?.fail(error);
  const backend = await openBackend(options, path, { clock, texts, claim, onDeath });
  store = new Store(backend, texts, { clock, leaseMs, onLeaseLost });
  return failpoints === undefined ? store : withFailpoints(store, failpoints);
}

interface BackendParts {
  readonly clock: Clock;
  readonly texts: StatementTable;
  readonly claim: LeaseClaim;
  readonly onDeath: (error: DatabaseError) => void;
}

async function openBackend(
  options: OpenDatabaseOptions,
  path: string | undefined,
  parts: BackendParts,
): Promise<StoreBackend> {
  const { url, synchronous = "full", maxBytes, threads, schema = "tasks" } = options;
  const { migrations = shippedMigrations(schema) } = options;
  if (path !== undefined) {
    return EmbeddedBackend.open({
      ...parts,
      migrations,
      now: parts.clock.now(),
      threads,
      connection: { path, synchronous, maxBytes },
    });
  }
  if (!isStoreServer(url)) {
    throw new DatabaseError("misuse", "a store's address is file:<path>, :memory:, libsql://…, https://… or http://…");
  }
  // Only who uses a server pays for loading its client.
  const { RemoteBackend } = await import("./remote/remote-backend.ts");
  return RemoteBackend.open({ ...parts, migrations, url, authToken: options.authToken });
}

/** Whether the address of a store is a libSQL server's, and not a file's (R11). */
export function isStoreServer(address: string): boolean {
  return /^(?:libsql|https?):\/\//.test(address);
}

function storePath(url: string): string | undefined {
  if (url === ":memory:") return url;
  if (url.startsWith("file://")) return fileURLToPath(url);
  if (url.startsWith("file:") && url.length > 5) return resolve(url.slice(5));
  return undefined;
}

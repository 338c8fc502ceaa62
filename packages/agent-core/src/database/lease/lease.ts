import { DatabaseError } from "../database-error.ts";
import type { Row, Value } from "../database-port.ts";
import type { SetupConnection } from "../setup-connection.ts";
import { hasSurelyEnded, type ProcessIdentity } from "./process-identity.ts";

/** Who asks for the lease. */
export interface LeaseClaim extends ProcessIdentity {
  /** For people: the agent's name. */
  readonly name: string;
  /** How long the lease lives without renewal, in milliseconds. */
  readonly leaseMs: number;
  /** Unique for this open; also the first link of the chain of commit ids. */
  readonly commitId: string;
}

export interface Lease {
  readonly epoch: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** One row if the epoch still holds the store, none otherwise. Argument: the epoch. */
export const LEASE_CHECK = "SELECT 1 FROM lease WHERE id = 1 AND epoch = ?";

const READ = "SELECT epoch, owner, pid, host, boot, started, expires_at, commit_id FROM lease WHERE id = 1";
const TAKE = `UPDATE lease SET epoch = epoch + 1, owner = ?, pid = ?, host = ?, boot = ?, started = ?, acquired_at = ?,
 expires_at = ?, commit_id = ? WHERE id = 1 AND epoch = ? AND expires_at = ?`;
/** Prolongs the lease. Arguments: until when, the epoch. */
export const RENEW_LEASE = "UPDATE lease SET expires_at = ? WHERE id = 1 AND epoch = ?";
const ATTEMPTS = 5;

/**
 * Takes the store (R12, EN11): a free or expired lease, or one whose owner has surely ended, so that a process
 * killed and started again does not wait.
 * @throws DatabaseError `in_use` naming the owner of a live lease
 */
export async function acquireLease(connection: SetupConnection, claim: LeaseClaim, now: () => number): Promise<Lease> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const held = readLease((await connection.query(READ))[0]);
    // The reply to an earlier attempt was lost on its way from a server.
    if (held.commitId === claim.commitId) return { epoch: held.epoch, expiresAt: held.expiresAt };
    const at = now();
    if (held.expiresAt > at && !hasSurelyEnded(held, claim)) throw inUse(connection, held, at);
    const expiresAt = at + claim.leaseMs;
    const owner: Value[] = [
      claim.name,
      claim.pid,
      claim.host,
      claim.boot,
      claim.started,
      at,
      expiresAt,
      claim.commitId,
    ];
    // Compare-and-set: two processes that saw the same free lease cannot both take it.
    const changed = await connection.execute(TAKE, [...owner, held.epoch, held.expiresAt]);
    if (changed === 1) return { epoch: held.epoch + 1, expiresAt };
  }
  throw new DatabaseError("in_use", `several processes are opening ${connection.description} at once`);
}

/** Prolongs the lease. @returns false when another process owns it by now */
export async function renewLease(connection: SetupConnection, epoch: number, expiresAt: number): Promise<boolean> {
  return (await connection.execute(RENEW_LEASE, [expiresAt, epoch])) === 1;
}

/** Gives the lease back, so that the next open need not wait. */
export async function releaseLease(connection: SetupConnection, epoch: number): Promise<void> {
  await connection.execute(RENEW_LEASE, [0, epoch]);
}

/** The error every commit meets after the lease is lost. */
export function leaseLost(description: string): DatabaseError {
  return new DatabaseError("lease_lost", `another process has taken over ${description}; this one may not write it`);
}

interface HeldLease extends ProcessIdentity {
  readonly epoch: number;
  readonly owner: string;
  readonly expiresAt: number;
  readonly commitId: string;
}

function readLease(row: Row | undefined): HeldLease {
  if (row === undefined) throw new DatabaseError("unwritable", "the store's lease row is missing");
  const [epoch, owner, pid, host, boot, started, expiresAt, commitId] = row;
  return {
    epoch: Number(epoch),
    owner: String(owner),
    pid: Number(pid),
    host: String(host),
    boot: String(boot),
    started: String(started),
    expiresAt: Number(expiresAt),
    commitId: String(commitId),
  };
}

function inUse(connection: SetupConnection, held: HeldLease, at: number): DatabaseError {
  const left = Math.ceil((held.expiresAt - at) / 1000);
  return new DatabaseError(
    "in_use",
    `${connection.description} is in use by ${held.owner} (process ${held.pid} on ${held.host}); ` +
      `its lease ends in ${left} s unless renewed`,
  );
}

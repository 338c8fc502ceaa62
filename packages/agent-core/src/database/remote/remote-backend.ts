import { randomUUID } from "node:crypto";
import type { Clock } from "../../clock/index.ts";
import { DatabaseError } from "../database-error.ts";
import type { Command, Row, Statement } from "../database-port.ts";
import type { CommandFailure } from "../group-message.ts";
import { type Lease, type LeaseClaim, leaseLost, RENEW_LEASE, releaseLease } from "../lease/lease.ts";
import { prepareStore } from "../prepare-store.ts";
import type { Erased, StoreBackend } from "../store.ts";
import { RemoteConnection } from "./remote-connection.ts";
import { readRemoteFailure } from "./remote-error.ts";

export interface RemoteOptions {
  readonly url: string;
  readonly authToken: string | undefined;
  readonly claim: LeaseClaim;
  readonly migrations: string;
  readonly clock: Clock;
}

/** A command with its index in the group it came in. */
interface BatchCommand {
  readonly command: Command;
  readonly index: number;
}

/** Fails the batch unless the statement before it changed exactly one row. `changes()` keeps it from being folded. */
const EXPECT_ONE = "SELECT CASE changes() WHEN 1 THEN 1 ELSE json('expected one row, not ' || changes()) END";
const LINK = "UPDATE lease SET commit_id = ? WHERE id = 1 AND epoch = ? AND commit_id = ?";
const HEAD = "SELECT epoch, commit_id FROM lease WHERE id = 1";
const ATTEMPTS = 6;
const MOST_READS = 4_096;

/**
 * A server behind the port (R11). A group goes out as one batch, which the server applies as one transaction.
 *
 * Invariants
 *  N1  Each batch begins by moving the lease row's commit id from the last one to its own, under the epoch (DB5). So a
 *      batch is applied at most once, only after the one before it, and never after the lease is lost.
 *  N2  When the reply is lost the commit id is read back: it shows whether the batch was applied; if not, the same
 *      batch is sent again under the same id. A copy still in transit cannot be applied any more (N1).
 *  N3  A batch that failed at one command's statement is sent again without that command (DB4).
 */
export class RemoteBackend implements StoreBackend {
  readonly durable = true;
  readonly description: string;
  readonly groupsInFlight = 1;
  readonly #connection: RemoteConnection;
  readonly #epoch: number;
  #last: string;
  #reading = 0;

  private constructor(connection: RemoteConnection, lease: Lease, claim: LeaseClaim) {
    this.#connection = connection;
    this.description = connection.description;
    this.#epoch = lease.epoch;
    this.#last = claim.commitId;
  }

  /** Opens, migrates and takes the lease. No copy is made first: backups are the server's. @throws DatabaseError */
  static async open(options: RemoteOptions): Promise<RemoteBackend> {
    const connection = new RemoteConnection(options);
    try {
      const lease = await prepareStore(connection, options.migrations, options.claim, () => options.clock.now());
      return new RemoteBackend(connection, lease, options.claim);
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  async applyGroup(commands: readonly Command[]): Promise<readonly CommandFailure[]> {
    const failures: CommandFailure[] = [];
    const left: BatchCommand[] = commands.map((command, index) => ({ command, index }));
    while (left.length > 0) {
      const refused = await this.#applyBatch(left);
      if (refused === undefined) break;
      // Where the server does not name the statement (a deferred constraint, for example), they are sent one by one.
      if (refused.position === undefined && left.length > 1) {
        for (const { command, index } of left) {
          failures.push(...(await this.applyGroup([command])).map((failure) => ({ ...failure, index })));
        }
        break;
      }
      const [{ index } = { index: 0 }] = left.splice(refused.position ?? 0, 1);
      failures.push({ index, code: refused.error.code, message: refused.error.message });
    }
    return failures;
  }

  async read(statement: Statement): Promise<readonly Row[]> {
    if (this.#reading >= MOST_READS)
      throw new DatabaseError("overloaded", `${MOST_READS} reads wait for the server already`);
    this.#reading += 1;
    try {
      return await this.#connection.query(statement.sql, statement.args);
    } finally {
      this.#reading -= 1;
    }
  }

  async renew(expiresAt: number): Promise<boolean> {
    // Repeating it does no harm. An unanswered one is tried again at the next renewal.
    return (await this.#connection.retry(() => this.#connection.once(RENEW_LEASE, [expiresAt, this.#epoch]))) === 1;
  }

  /** The server's file is its own. */
  async erase(): Promise<Erased> {
    return { isLogEmpty: true };
  }

  async close(): Promise<void> {
    try {
      await releaseLease(this.#connection, this.#epoch);
    } finally {
      this.#connection.close();
    }
  }

  /** Sends commands as one batch until its fate is known. @returns what was refused; nothing when all were applied */
  async #applyBatch(batch: readonly BatchCommand[]): Promise<Refused | undefined> {
    const id = randomUUID();
    let reason = "";
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const { statements, owners } = this.#compose(batch, id);
      try {
        await this.#connection.batch(statements);
        this.#last = id;
        return undefined;
      } catch (error) {
        const failure = readRemoteFailure(error, this.description);
        if (failure.kind === "unknown") {
          reason = failure.reason;
          this.#connection.renew();
          await this.#connection.pause(attempt);
        } else {
          const refused = readRefusal(failure, owners);
          if (refused !== undefined) return refused;
        }
      }
      if (await this.#wasApplied(id)) return undefined;
    }
    throw new DatabaseError("unreachable", `${this.description} does not answer: ${reason}`);
  }

  /** Reads the last commit id back (N2). A different one than ours is where the chain continues. */
  async #wasApplied(id: string): Promise<boolean> {
    const [row] = await this.#connection.query(HEAD);
    if (row === undefined || Number(row[0]) !== this.#epoch) throw leaseLost(this.description);
    this.#last = String(row[1]);
    return this.#last === id;
  }

  #compose(batch: readonly BatchCommand[], id: string): { statements: Statement[]; owners: Owner[] } {
    const statements: Statement[] = [
      { sql: LINK, args: [id, this.#epoch, this.#last] },
      { sql: EXPECT_ONE, args: [] },
    ];
    const owners: Owner[] = [
      { position: -1, check: false },
      { position: -1, check: true },
    ];
    batch.forEach(({ command }, position) => {
      if (command.expect !== undefined) {
        statements.push(command.expect, { sql: EXPECT_ONE, args: [] });
        owners.push({ position, check: false }, { position, check: true });
      }
      for (const statement of command.statements) {
        statements.push(statement);
        owners.push({ position, check: false });
      }
    });
    return { statements, owners };
  }
}

/** Whose statement it is; -1 for the batch's own. `check`: it asserts the statement before it. */
interface Owner {
  readonly position: number;
  readonly check: boolean;
}

/** What the server refused: a command's position in the batch, where it is known. */
interface Refused {
  readonly position?: number;
  readonly error: DatabaseError;
}

/**
 * Whose fault a refusal was; nothing when it was the batch's own link of the chain that did not fit (N1).
 * @throws DatabaseError when it is the store's fault, not a command's
 */
function readRefusal(
  failure: { readonly kind: "refused" | "shut"; readonly error: DatabaseError; readonly position?: number },
  owners: readonly Owner[],
): Refused | undefined {
  const { kind, error, position } = failure;
  if (kind === "shut" || error.code === "full" || error.code === "unwritable") throw error;
  const owner = position === undefined ? undefined : owners[position];
  if (owner === undefined) return { error };
  if (owner.position < 0) return undefined;
  if (!owner.check) return { position: owner.position, error };
  const message = "the expected row was not there or had changed";
  return { position: owner.position, error: new DatabaseError("expectation_failed", message) };
}

import type { Clock, Timer } from "../clock/index.ts";
import { Batcher, type BatcherBounds, type BatchResults } from "./batcher.ts";
import { DatabaseError, isStoreGone } from "./database-error.ts";
import type { Command, Database, Row, Statement, StoreState } from "./database-port.ts";
import type { CommandFailure } from "./group-message.ts";
import { leaseLost } from "./lease/lease.ts";
import { checkArguments } from "./statement/check-arguments.ts";
import type { StatementTable } from "./statement/statement-table.ts";

/** What a step of erasing came to. `next`: the page to go on with. */
export interface Erased {
  readonly next?: number;
  readonly isLogEmpty: boolean;
}

/** What differs between a file and a server. Everything it is given has been checked. */
export interface StoreBackend {
  readonly durable: boolean;
  readonly description: string;
  /** Groups that may be on their way at a time; they are applied in the order they were handed over. */
  readonly groupsInFlight: number;
  /**
   * Applies commands in order and makes them durable. Resolves to the refused ones.
   * @throws DatabaseError when nothing of the group was accepted
   */
  applyGroup(commands: readonly Command[]): Promise<readonly CommandFailure[]>;
  /** Runs a query; `bytes` is about the size of its arguments, `long` as in the port. @throws DatabaseError */
  read(statement: Statement, bytes: number, how?: "long"): Promise<readonly Row[]>;
  /** One step of overwriting what pages hold beside rows, from a page on; without one it empties the log. @throws DatabaseError */
  erase(from?: number): Promise<Erased>;
  /** Prolongs the lease until `expiresAt`. @returns false when another process owns it by now */
  renew(expiresAt: number): Promise<boolean>;
  /** Releases the lease and closes. */
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly onLeaseLost?: ((error: DatabaseError) => void) | undefined;
}

/** Milliseconds that a store stays full or failing when nothing is committed meanwhile. */
const REFUSED_MS = 60_000;
/** How often emptying the log is tried, each time for 50 ms at most. */
const LOG_TRIES = 20;
const COMMITS: BatcherBounds = { batchItems: 256, batchBytes: 4 << 20, waitingItems: 65_536, waitingBytes: 256 << 20 };

/**
 * The port over a backend: checks, group commit, the lease's renewal, and an orderly end.
 *
 * Invariants
 *  SO1  Nothing reaches a backend unchecked.
 *  SO2  Once the lease or a file is lost no command is sent any more (DB5), and the host is notified once.
 *  SO3  `close` lets what was accepted finish; later calls are refused as `closed`.
 */
export class Store implements Database {
  readonly durable: boolean;
  readonly description: string;
  readonly #backend: StoreBackend;
  readonly #texts: StatementTable;
  readonly #options: StoreOptions;
  readonly #commits: Batcher<Command, undefined>;
  #timer: Timer | undefined;
  #reading = 0;
  #readsDone: (() => void) | undefined;
  #lost: DatabaseError | undefined;
  #refused: { readonly state: "full" | "failing"; readonly at: number } | undefined;
  #closing: Promise<void> | undefined;
  #erasing: Promise<void> | undefined;
  #nextErasing: Promise<void> | undefined;

  constructor(backend: StoreBackend, texts: StatementTable, options: StoreOptions) {
    this.durable = backend.durable;
    this.description = backend.description;
    this.#backend = backend;
    this.#texts = texts;
    this.#options = options;
    this.#commits = new Batcher<Command, undefined>({ ...COMMITS, inFlight: backend.groupsInFlight }, (commands) =>
      this.#apply(commands),
    );
    this.#scheduleRenewal();
  }

  get state(): StoreState {
    return this.#lost === undefined ? (this.#refused?.state ?? "ok") : "lost";
  }

  commit(command: Command): Promise<void> {
    let bytes = 0;
    try {
      if (command.expect !== undefined) bytes += this.#check(command.expect, true);
      for (const statement of command.statements) bytes += this.#check(statement, true);
    } catch (error) {
      return Promise.reject(error as DatabaseError);
    }
    return this.#commits.add(command, bytes);
  }

  async read(statement: Statement, how?: "long"): Promise<readonly Row[]> {
    if (this.#closing !== undefined) throw closed(this.description);
    const bytes = this.#check(statement, false);
    this.#reading += 1;
    try {
      return await this.#backend.read(statement, bytes, how);
    } finally {
      this.#reading -= 1;
      if (this.#reading === 0) this.#readsDone?.();
    }
  }

  eraseRemains(): Promise<void> {
    if (this.#erasing === undefined) {
      const erasing = this.#erase().finally(() => {
        if (this.#erasing === erasing) this.#erasing = undefined;
      });
      this.#erasing = erasing;
      return erasing;
    }
    // What runs may have passed the pages of the last deletion.
    this.#nextErasing ??= this.#erasing
      .catch(() => {})
      .then(() => {
        this.#nextErasing = undefined;
        return this.eraseRemains();
      });
    return this.#nextErasing;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** The store can commit nothing any more: rejects waiting and later commands, and notifies the host (SO2). */
  fail(error: DatabaseError): void {
    if (this.#lost !== undefined || this.#closing !== undefined) return;
    this.#lost = error;
    this.#timer?.cancel();
    this.#commits.stop(error, true);
    this.#options.onLeaseLost?.(error);
  }

  async #erase(): Promise<void> {
    for (let from: number | undefined = 1; from !== undefined; ) {
      if (this.#lost !== undefined) throw this.#lost;
      if (this.#closing !== undefined) throw closed(this.description);
      from = (await this.#backend.erase(from)).next;
    }
    for (let tries = 0; tries < LOG_TRIES; tries++) if ((await this.#backend.erase()).isLogEmpty) return;
    throw new DatabaseError("unreachable", `${this.description}: readers hold the log, which has to be emptied`);
  }

  #check(statement: Statement, writes: boolean): number {
    const text = this.#texts.number(statement.sql);
    if (text.writes !== writes) {
      const where = writes ? "is a query; use read" : "changes the store; use commit";
      throw new DatabaseError("misuse", `the statement ${where}: ${statement.sql.slice(0, 200)}`);
    }
    return checkArguments(text, statement.args);
  }

  async #apply(commands: readonly Command[]): Promise<BatchResults<undefined>> {
    try {
      const failures = await this.#backend.applyGroup(commands);
      this.#refused = undefined;
      if (failures.length === 0) return undefined;
      const results = new Array<undefined | DatabaseError>(commands.length);
      for (const { index, code, message } of failures) {
        results[index] = new DatabaseError(code, `${commands[index]?.label}: ${message}`);
      }
      return results;
    } catch (error) {
      this.#note(error);
      throw error;
    }
  }

  /** What refused a whole group, or the lease's renewal. */
  #note(error: unknown): void {
    if (isStoreGone(error)) this.fail(error as DatabaseError);
    const full = error instanceof DatabaseError && error.code === "full";
    this.#refused = { state: full ? "full" : "failing", at: this.#options.clock.now() };
  }

  #untilRead(): Promise<void> {
    return new Promise((resolve) => {
      this.#readsDone = resolve;
    });
  }

  #scheduleRenewal(): void {
    const { clock, leaseMs } = this.#options;
    this.#timer = clock.setTimeout(() => void this.#renew(), leaseMs / 3, { background: true });
  }

  async #renew(): Promise<void> {
    const { clock, leaseMs } = this.#options;
    try {
      if (!(await this.#backend.renew(clock.now() + leaseMs))) this.fail(leaseLost(this.description));
      // The lease's update fits where a message may not, so only time shows that there is room again.
      if (clock.now() - (this.#refused?.at ?? 0) >= REFUSED_MS) this.#refused = undefined;
    } catch (error) {
      // A full disk or a silent server: the next turn tries again, and each commit still checks the epoch.
      this.#note(error);
    }
    if (this.#lost === undefined && this.#closing === undefined) this.#scheduleRenewal();
  }

  async #close(): Promise<void> {
    this.#timer?.cancel();
    this.#commits.stop(closed(this.description), false);
    await this.#commits.idle();
    if (this.#reading > 0) await this.#untilRead();
    try {
      await this.#backend.close();
    } catch (error) {
      // A store that is lost has nothing left to release; the host was notified already.
      if (this.#lost === undefined) throw error;
    }
  }
}

function closed(description: string): DatabaseError {
  return new DatabaseError("closed", `${description} is closed`);
}

import { applyGroup, inTransaction } from "./apply-group.ts";
import type { Row, Value } from "./database-port.ts";
import type { ErrorData, LearnTexts, StoreReply, StoreRequest, StoreThreadData } from "./group-message.ts";
import { LEASE_CHECK, leaseLost, releaseLease, renewLease } from "./lease/lease.ts";
import { fromNativeError } from "./native-error.ts";
import { prepareStore } from "./prepare-store.ts";
import { StoreConnection } from "./store-connection.ts";
import { findStoreFiles, StoreFiles } from "./store-files.ts";
import { RemainsEraser } from "./upkeep/erase-remains.ts";
import { NOTHING_TO_REPAIR, repairTexts } from "./upkeep/repair-texts.ts";

/** What a store thread does for one file: a connection, and one reply to each request, in order. */
export class StoreThread {
  readonly #connection: StoreConnection;
  readonly #data: StoreThreadData;
  #epoch = 0;
  #files: StoreFiles;
  #checkLease: () => void = () => undefined;
  #eraser: RemainsEraser | undefined;

  /** @throws DatabaseError `unwritable`, `file_lost` */
  constructor(data: StoreThreadData) {
    this.#data = data;
    this.#files = new StoreFiles(data.files ?? []);
    this.#files.check();
    this.#connection = new StoreConnection(data.connection);
  }

  /** Never rejects: an error is a reply. */
  async answer(request: StoreRequest): Promise<StoreReply> {
    try {
      switch (request.kind) {
        case "open":
          return await this.#open();
        case "group":
          return this.#group(request);
        case "queries":
          return this.#queries(request);
        case "erase":
          return this.#erase(request.from);
        case "renew":
          return await this.#renew(request.expiresAt);
        case "close":
          return await this.#close();
      }
    } catch (error) {
      return { kind: "failed", error: errorData(error) };
    }
  }

  async #open(): Promise<StoreReply> {
    const { writer } = this.#data;
    if (writer === undefined) {
      this.#connection.queryOnly(true);
      this.#files.check();
      return { kind: "opened", files: this.#files.files };
    }
    try {
      const { migrations, claim, now } = writer;
      const lease = await prepareStore(this.#connection, migrations, claim, () => now, NOTHING_TO_REPAIR);
      this.#epoch = lease.epoch;
      await this.#repair(writer);
    } catch (error) {
      this.#connection.close();
      throw error;
    }
    const held = this.#connection.prepareCheck(LEASE_CHECK, [this.#epoch]);
    this.#checkLease = () => {
      if (!held()) throw leaseLost(this.#connection.description);
    };
    this.#files = new StoreFiles(findStoreFiles(this.#data.connection.path));
    return { kind: "opened", files: this.#files.files };
  }

  /** Looks through a store that an earlier version wrote; the lease is kept meanwhile. */
  async #repair({ claim, now }: NonNullable<StoreThreadData["writer"]>): Promise<void> {
    const begun = performance.now();
    let renewed = begun;
    const between = async (): Promise<void> => {
      if (performance.now() - renewed < claim.leaseMs / 5) return;
      renewed = performance.now();
      const expiresAt = Math.ceil(now + (performance.now() - begun) + claim.leaseMs);
      if (!(await renewLease(this.#connection, this.#epoch, expiresAt))) throw leaseLost(this.#connection.description);
    };
    await repairTexts(this.#connection, between);
  }

  async #renew(expiresAt: number): Promise<StoreReply> {
    const held = await renewLease(this.#connection, this.#epoch, expiresAt);
    this.#connection.emptyLog();
    this.#files.check();
    return { kind: "renewed", held };
  }

  #group(request: LearnTexts & { readonly commands: readonly Value[] }): StoreReply {
    this.#connection.learn(request.texts, request.afresh);
    const failures = applyGroup(this.#connection, request.commands, this.#checkLease);
    this.#connection.emptyLog();
    // Behind the commit: what is acknowledged is in the files that the next process will open.
    this.#files.checkChanged();
    return failures.length === 0 ? { kind: "group" } : { kind: "group", failures };
  }

  #erase(from: number | undefined): StoreReply {
    const connection = this.#connection;
    if (!connection.hasPages) return { kind: "erased", isLogEmpty: true };
    if (from === undefined) {
      connection.forgetLog();
      return { kind: "erased", isLogEmpty: connection.emptyLog() };
    }
    this.#eraser ??= new RemainsEraser(connection);
    const eraser = this.#eraser;
    const next = inTransaction(connection, this.#checkLease, () => eraser.step(from));
    this.#files.checkChanged();
    return { kind: "erased", ...(next !== undefined && { next }), isLogEmpty: false };
  }

  #queries(request: LearnTexts & { readonly queries: readonly Value[] }): StoreReply {
    const started = performance.now();
    this.#connection.learn(request.texts, request.afresh);
    const { queries } = request;
    const results: (readonly Row[] | ErrorData)[] = [];
    const writer = this.#data.writer !== undefined;
    if (writer) this.#connection.queryOnly(true);
    for (let at = 0; at < queries.length; ) {
      const end = at + 2 + (queries[at + 1] as number);
      results.push(this.#query(queries[at] as number, queries.slice(at + 2, end)));
      at = end;
    }
    if (writer) this.#connection.queryOnly(false);
    return { kind: "queries", results, ms: performance.now() - started };
  }

  #query(id: number, args: Value[]): readonly Row[] | ErrorData {
    try {
      return this.#connection.select(id, args, this.#data.bounds);
    } catch (error) {
      return errorData(error);
    }
  }

  async #close(): Promise<StoreReply> {
    const { writer } = this.#data;
    try {
      if (writer !== undefined) await releaseLease(this.#connection, this.#epoch);
    } finally {
      // A reader that goes while others write would hold them up.
      this.#connection.close(writer !== undefined);
    }
    return { kind: "closed" };
  }
}

/** An error as it crosses between threads. */
export function errorData(error: unknown): ErrorData {
  const { code, message } = fromNativeError(error);
  return { code, message };
}

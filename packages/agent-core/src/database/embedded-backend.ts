import { Batcher, type BatcherBounds } from "./batcher.ts";
import { DatabaseError } from "./database-error.ts";
import type { Command, Row, Statement } from "./database-port.ts";
import {
  type CommandFailure,
  type StoreReply,
  type StoreRequest,
  writeCommands,
  writeStatements,
} from "./group-message.ts";
import type { LeaseClaim } from "./lease/lease.ts";
import { ReaderNeed } from "./reader-need.ts";
import type { StatementTable } from "./statement/statement-table.ts";
import type { Erased, StoreBackend } from "./store.ts";
import type { ConnectionOptions, ReadBounds } from "./store-connection.ts";
import type { FoundFile } from "./store-files.ts";
import { createStoreThreads, type StoreThreads } from "./store-host.ts";
import { StoreLink } from "./store-link.ts";

export interface EmbeddedOptions {
  readonly connection: ConnectionOptions;
  readonly claim: LeaseClaim;
  /** The folder of the migrations. */
  readonly migrations: string;
  /** Milliseconds since 1970 now. */
  readonly now: number;
  readonly texts: StatementTable;
  /** Called when the writer's thread ends unasked: nothing can be committed any more. */
  readonly onDeath: (error: DatabaseError) => void;
  /**
   * When the reading thread takes the file: before the opening resolves, or (by default) before a long read and while
   * reads compete with commits.
   */
  readonly reader?: "at-once" | "when-needed" | undefined;
  /** Shared with other files. Default: threads of its own. */
  readonly threads?: StoreThreads | undefined;
}

const READS: BatcherBounds = { batchItems: 64, batchBytes: 4 << 20, waitingItems: 65_536, waitingBytes: 64 << 20 };
const BOUNDS: ReadBounds = { rows: 50_000, bytes: 64 << 20 };
const SLOW_READ_MS = 20;
/** Milliseconds that the answer to a batch of reads may take: a disk that hangs, or a statement without an end. */
const MOST_READ_MS = 60_000;

/**
 * A file or memory behind native threads: one writes, one reads. The reader costs 15 MB, so it is started when it pays:
 * reads keep meeting commits in progress, or one takes long. It ends after some minutes without need. While there is none
 * the writer answers reads too; for memory, which one connection alone can see, it always does.
 */
export class EmbeddedBackend implements StoreBackend {
  readonly durable: boolean;
  readonly description: string;
  /** While the thread syncs one group, the next is on its way: with one, it idled for more than half of the time. */
  readonly groupsInFlight = 2;
  readonly #options: EmbeddedOptions;
  readonly #threads: StoreThreads;
  readonly #writer: StoreLink;
  readonly #reads: Batcher<Statement, readonly Row[]>;
  #reader: StoreLink | undefined;
  #starting: Promise<void> | undefined;
  #ending: Promise<void> | undefined;
  readonly #need = new ReaderNeed();
  #files: readonly FoundFile[] = [];
  #applying = 0;

  private constructor(options: EmbeddedOptions) {
    const { path } = options.connection;
    this.durable = path !== ":memory:";
    this.description = this.durable ? path : "memory";
    this.#options = options;
    const { connection, claim, migrations, now } = options;
    const writer = { claim, migrations, now };
    this.#threads = options.threads ?? createStoreThreads();
    this.#writer = new StoreLink({ connection, bounds: BOUNDS, writer }, this.#threads.writer, options.onDeath);
    this.#reads = new Batcher(READS, (statements) => this.#query(statements));
  }

  /** Opens, migrates and takes the lease. @throws DatabaseError */
  static async open(options: EmbeddedOptions): Promise<EmbeddedBackend> {
    const backend = new EmbeddedBackend(options);
    try {
      const opened = await backend.#writer.request({ kind: "open" });
      if (opened.kind === "opened") backend.#files = opened.files;
    } catch (error) {
      await backend.#writer.end();
      throw error;
    }
    if (options.reader === "at-once") await backend.#wantReader();
    return backend;
  }

  async applyGroup(commands: readonly Command[]): Promise<readonly CommandFailure[]> {
    const { texts } = this.#options;
    texts.trim();
    const group = writeCommands(commands, texts);
    this.#applying += 1;
    try {
      const reply = await this.#writer.request({ kind: "group", commands: group, ...this.#writer.learn(texts) });
      return reply.kind === "group" && reply.failures !== undefined ? reply.failures : [];
    } finally {
      this.#applying -= 1;
    }
  }

  async read(statement: Statement, bytes: number, how?: "long"): Promise<readonly Row[]> {
    if (how === "long") await this.#wantReader();
    return this.#reads.add(statement, bytes);
  }

  async erase(from?: number): Promise<Erased> {
    const reply = await this.#writer.request({ kind: "erase", ...(from !== undefined && { from }) });
    return reply.kind === "erased" ? reply : { isLogEmpty: true };
  }

  async renew(expiresAt: number): Promise<boolean> {
    const reply = await this.#writer.request({ kind: "renew", expiresAt });
    if (this.#options.reader !== "at-once" && this.#need.ended(performance.now())) this.#endReader();
    return reply.kind === "renewed" && reply.held;
  }

  async close(): Promise<void> {
    await this.#reads.idle();
    await this.#starting;
    await this.#ending;
    // The reader goes first: the last connection folds the log into the file.
    await this.#reader?.close();
    await this.#writer.close();
  }

  async #query(statements: readonly Statement[]): Promise<(readonly Row[] | DatabaseError)[]> {
    const { texts } = this.#options;
    const link = this.#reader ?? this.#writer;
    texts.trim();
    const queries = writeStatements(statements, texts);
    if (this.#applying > 0 && this.#need.met(performance.now())) void this.#wantReader();
    const reply = await this.#answerOf(link, { kind: "queries", queries, ...link.learn(texts) });
    if (reply.kind !== "queries") return [];
    // The thread's own time: while a service loads its modules, every answer waits here for longer than that.
    if (reply.ms > SLOW_READ_MS) void this.#wantReader();
    return reply.results.map((result) => ("code" in result ? new DatabaseError(result.code, result.message) : result));
  }

  /** @throws DatabaseError `unreachable` when the thread takes too long; a reading one is asked no more */
  async #answerOf(link: StoreLink, request: StoreRequest): Promise<StoreReply> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        if (this.#reader === link) this.#reader = undefined;
        const limit = `${MOST_READ_MS / 1_000} s`;
        reject(new DatabaseError("unreachable", `${this.description}: a read was not answered within ${limit}`));
      }, MOST_READ_MS);
    });
    try {
      return await Promise.race([link.request(request), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #wantReader(): Promise<void> {
    this.#need.needed(performance.now());
    if (this.durable) this.#starting ??= this.#startReader();
    return this.#starting ?? Promise.resolve();
  }

  async #startReader(): Promise<void> {
    const { connection } = this.#options;
    const data = { connection, bounds: BOUNDS, files: this.#files };
    const reader: StoreLink = new StoreLink(data, this.#threads.reader, () => {
      // The writer answers reads again.
      this.#reader = undefined;
    });
    try {
      await reader.request({ kind: "open" });
      this.#reader = reader;
    } catch {
      await reader.end();
    }
  }

  /** Reads that were sent are answered first. */
  #endReader(): void {
    const reader = this.#reader;
    if (reader === undefined) return;
    this.#reader = undefined;
    this.#starting = undefined;
    this.#ending = reader.close().catch(() => undefined);
  }
}

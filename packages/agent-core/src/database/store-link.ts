import type { DatabaseError } from "./database-error.ts";
import type { LearnTexts, StoreReply, StoreRequest, StoreThreadData } from "./group-message.ts";
import type { StatementTable } from "./statement/statement-table.ts";
import type { HostedFile, StoreHost } from "./store-host.ts";

/** The main thread's end of one file in a store thread: requests are answered in order. */
export class StoreLink {
  readonly #file: HostedFile;
  #generation = 0;
  #known = 0;

  /** Takes the file to its thread. `onDeath` is called once if that ends without being asked to. */
  constructor(data: StoreThreadData, host: StoreHost, onDeath: (error: DatabaseError) => void) {
    this.#file = host.attach(data, onDeath);
  }

  /** Sends a request. @throws DatabaseError what the thread answered, or that it ended */
  request(request: StoreRequest): Promise<StoreReply> {
    return this.#file.request(request);
  }

  /** The texts this thread lacks; they must be sent with the next request. */
  learn(table: StatementTable): LearnTexts {
    const { generation, added } = table.since(this.#generation, this.#known);
    const afresh = generation !== this.#generation;
    this.#generation = generation;
    this.#known = table.size;
    return { texts: added, afresh };
  }

  /** Has the thread close the file, then detaches. @throws DatabaseError when closing failed; it is detached then too */
  async close(): Promise<void> {
    try {
      await this.request({ kind: "close" });
    } finally {
      await this.end();
    }
  }

  /** Detaches from the file without a message to the thread. */
  async end(): Promise<void> {
    await this.#file.leave();
  }
}

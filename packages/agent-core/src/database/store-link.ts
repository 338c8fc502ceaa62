import { Worker } from "node:worker_threads";
import { DatabaseError } from "./database-error.ts";
import type { LearnTexts, StoreReply, StoreRequest } from "./group-message.ts";
import type { StatementTable } from "./statement-table.ts";
import type { StoreThreadData } from "./store-thread.ts";

interface Waiting {
  readonly resolve: (reply: StoreReply) => void;
  readonly reject: (error: DatabaseError) => void;
}

// Run from source the entry is `.ts`, built it is `.js`.
const ENTRY = new URL(import.meta.url.endsWith(".ts") ? "./store-worker.ts" : "./store-worker.js", import.meta.url);

/** The main thread's end of a store thread: requests are answered in order. */
export class StoreLink {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #dead: DatabaseError | undefined;
  #generation = 0;
  #known = 0;

  /** Starts the thread. `onDeath` is called once if it ends without being asked to. */
  constructor(data: StoreThreadData, onDeath: (error: DatabaseError) => void) {
    // The host's own flags (loaders, inspectors, test runners) are not for this thread.
    // A thread's garbage is short-lived; a small young generation saves memory and no time is lost.
    const resourceLimits = { maxYoungGenerationSizeMb: 3 };
    this.#worker = new Worker(ENTRY, { workerData: data, execArgv: [], resourceLimits, name: "store" });
    this.#worker.on("message", (reply: StoreReply) => this.#settle(reply));
    const die = (reason: unknown): void => {
      if (this.#dead !== undefined) return;
      this.#dead = new DatabaseError("unwritable", `the store's thread ended: ${String(reason)}`, { cause: reason });
      const waiting = this.#waiting.splice(0);
      for (const { reject } of waiting) reject(this.#dead);
      onDeath(this.#dead);
    };
    this.#worker.on("error", die);
    this.#worker.on("exit", (code) => die(`exit code ${code}`));
  }

  /** Sends a request. @throws DatabaseError what the thread answered, or that it ended */
  request(request: StoreRequest): Promise<StoreReply> {
    if (this.#dead !== undefined) return Promise.reject(this.#dead);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(request);
    });
  }

  /** The texts this thread lacks; they must be sent with the next request. */
  learn(table: StatementTable): LearnTexts {
    const { generation, added } = table.since(this.#generation, this.#known);
    const afresh = generation !== this.#generation;
    this.#generation = generation;
    this.#known = table.size;
    return { texts: added, afresh };
  }

  /** Asks the thread to finish and waits until it is gone. @throws DatabaseError when closing failed; it is gone too */
  async close(): Promise<void> {
    try {
      await this.request({ kind: "close" });
    } finally {
      await this.end();
    }
  }

  /** Ends the thread without asking it anything. */
  async end(): Promise<void> {
    this.#dead ??= new DatabaseError("closed", "the store is closed");
    await this.#worker.terminate();
  }

  #settle(reply: StoreReply): void {
    const waiting = this.#waiting.shift();
    if (reply.kind === "failed") waiting?.reject(new DatabaseError(reply.error.code, reply.error.message));
    else waiting?.resolve(reply);
  }
}

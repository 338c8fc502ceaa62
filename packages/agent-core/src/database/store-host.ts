import { Worker } from "node:worker_threads";
import { DatabaseError } from "./database-error.ts";
import type { StoreReply, StoreRequest, StoreThreadData, StoreThreadMessage } from "./group-message.ts";

interface Waiting {
  readonly resolve: (reply: StoreReply) => void;
  readonly reject: (error: DatabaseError) => void;
}

/** One file of a thread, as its user holds it. */
export interface HostedFile {
  /** Sends a request; the thread answers all of them in the order they were sent. @throws DatabaseError */
  request(request: StoreRequest): Promise<StoreReply>;
  /** Closes the file for this user; the thread ends with its last file. */
  leave(): Promise<void>;
}

// Run from source the entry is `.ts`, built it is `.js`.
const ENTRY = new URL(import.meta.url.endsWith(".ts") ? "./store-worker.ts" : "./store-worker.js", import.meta.url);

/**
 * A store thread, for any number of files: it starts with the first and ends with the last, unless it stays. A thread
 * costs 15 MB and 50 ms of a core, a further file of it a connection.
 */
export class StoreHost {
  readonly #stays: boolean;
  #worker: Worker | undefined;
  #waiting: Waiting[] = [];
  readonly #files = new Map<number, (error: DatabaseError) => void>();
  #numbered = 0;

  constructor({ stay = false }: StoreThreadsOptions = {}) {
    this.#stays = stay;
  }

  /** Takes a file in; the thread opens it with its first request. `onDeath` is called once if the thread ends unasked. */
  attach(data: StoreThreadData, onDeath: (error: DatabaseError) => void): HostedFile {
    const file = ++this.#numbered;
    let dead: DatabaseError | undefined;
    let introduced = false;
    this.#files.set(file, (error) => {
      dead = error;
      onDeath(error);
    });
    this.#worker ??= this.#start();
    const worker = this.#worker;
    worker.ref();
    return {
      request: (request) => {
        if (dead !== undefined) return Promise.reject(dead);
        return new Promise((resolve, reject) => {
          this.#waiting.push({ resolve, reject });
          const message: StoreThreadMessage = introduced ? { file, request } : { file, request, data };
          introduced = true;
          worker.postMessage(message);
        });
      },
      leave: async () => {
        dead ??= new DatabaseError("closed", "the store is closed");
        this.#files.delete(file);
        if (this.#files.size > 0 || this.#worker !== worker) return;
        if (this.#stays) {
          worker.unref();
          return;
        }
        this.#worker = undefined;
        for (const { reject } of this.#waiting.splice(0)) reject(dead);
        await worker.terminate();
      },
    };
  }

  #start(): Worker {
    // The host's own flags (loaders, inspectors, test runners) are not for this thread.
    // A thread's garbage is short-lived; a small young generation saves memory and no time is lost.
    const resourceLimits = { maxYoungGenerationSizeMb: 3 };
    const worker = new Worker(ENTRY, { execArgv: [], resourceLimits, name: "store" });
    worker.on("message", (reply: StoreReply) => this.#settle(reply));
    const die = (reason: unknown): void => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      const dead = new DatabaseError("unwritable", `the store's thread ended: ${String(reason)}`, { cause: reason });
      for (const { reject } of this.#waiting.splice(0)) reject(dead);
      const files = [...this.#files.values()];
      this.#files.clear();
      for (const notify of files) notify(dead);
    };
    worker.on("error", die);
    worker.on("exit", (code) => die(`exit code ${code}`));
    return worker;
  }

  #settle(reply: StoreReply): void {
    const waiting = this.#waiting.shift();
    if (reply.kind === "failed") waiting?.reject(new DatabaseError(reply.error.code, reply.error.message));
    else waiting?.resolve(reply);
  }
}

/** The threads that the embedded files of one process share: one writes, one reads. */
export interface StoreThreads {
  readonly writer: StoreHost;
  readonly reader: StoreHost;
}

/** How long store threads live. */
export interface StoreThreadsOptions {
  /**
   * They outlive their last file, for a host that opens one store after the other. Without a file they do not keep the
   * process alive. Default: false, they end with their last file.
   */
  readonly stay?: boolean;
}

/** Threads for files that are opened side by side; nothing starts before the first file. */
export function createStoreThreads(options: StoreThreadsOptions = {}): StoreThreads {
  return { writer: new StoreHost(options), reader: new StoreHost(options) };
}

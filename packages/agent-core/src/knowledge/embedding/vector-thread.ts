import { Worker } from "node:worker_threads";
import type { Clock, Timer } from "../../clock/index.ts";
import { EmbeddingError } from "./embed-texts.ts";
import type { VectorReply, VectorRequestKind, VectorRequests } from "./vector-message.ts";

// Run from source the entry is `.ts`, built it is `.js`.
const ENTRY = new URL(import.meta.url.endsWith(".ts") ? "./vector-worker.ts" : "./vector-worker.js", import.meta.url);
// What it makes is short-lived: a small young generation takes 10 MB less and no time more.
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 3, stackSizeMb: 4 };
/** It ends after so long without a request; the next one starts another. */
const IDLE_MS = 300_000;

interface Pending {
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** A thread that runs, and what it was asked and has not answered. */
interface Running {
  readonly worker: Worker;
  readonly generation: number;
  readonly pending: Map<number, Pending>;
}

/** One thread, which runs while it is used. */
export class VectorThread {
  readonly #clock: Clock;
  #running: Running | undefined;
  #generations = 0;
  #number = 0;
  #idle: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Of the thread that runs: what was loaded into another one is gone. Undefined: none runs. */
  get generation(): number | undefined {
    return this.#running?.generation;
  }

  /** @throws EmbeddingError, also where the thread ended */
  ask<Kind extends VectorRequestKind>(
    kind: Kind,
    asked: VectorRequests[Kind]["asked"],
  ): Promise<VectorRequests[Kind]["answer"]> {
    this.#running ??= this.#start();
    const { worker, pending } = this.#running;
    this.#idle?.cancel();
    this.#idle = this.#clock.setTimeout(() => this.#endIdle(), IDLE_MS, { background: true });
    const number = this.#number++;
    return new Promise((resolve, reject) => {
      pending.set(number, { resolve: resolve as (answer: unknown) => void, reject });
      worker.postMessage({ number, kind, asked });
    });
  }

  async close(): Promise<void> {
    this.#idle?.cancel();
    const running = this.#running;
    // One that is asked from here on is another one.
    this.#running = undefined;
    await running?.worker.terminate();
  }

  #endIdle(): void {
    if (this.#running?.pending.size === 0) void this.close();
  }

  #start(): Running {
    const worker = new Worker(ENTRY, { execArgv: [], resourceLimits: RESOURCE_LIMITS, name: "vector" });
    const running: Running = { worker, generation: ++this.#generations, pending: new Map() };
    const { pending } = running;
    worker.unref();
    worker.on("message", ({ number, answer, failure }: VectorReply) => {
      const one = pending.get(number);
      pending.delete(number);
      if (failure === undefined) one?.resolve(answer);
      else one?.reject(new EmbeddingError(failure.code, failure.message));
    });
    // What it ended by, memory for instance, ends its requests below.
    worker.on("error", () => {});
    worker.once("exit", () => {
      if (this.#running === running) this.#running = undefined;
      for (const { reject } of pending.values())
        reject(new EmbeddingError("failed", "was not asked: its thread ended"));
      pending.clear();
    });
    return running;
  }
}

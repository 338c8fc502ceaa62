/**
 * Walks trees off the main thread: an expression of a model's can hold up its own thread only, and that is ended at its
 * deadline with what it found until then.
 */
import { Worker } from "node:worker_threads";
import { CodedError } from "../error/index.ts";
import type { Skipped, TreeJob, TreePart } from "./tree-message.ts";

// Run from source the entry is `.ts`, built it is `.js`.
const ENTRY = new URL(import.meta.url.endsWith(".ts") ? "./tree-worker.ts" : "./tree-worker.js", import.meta.url);

const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };
/** Milliseconds that a thread has beyond its deadline to end by itself. */
const GRACE_MS = 500;
const MAX_WAITING = 100;

/** A tree that could not be looked through. The message is for the model. */
export class TreeSearchError extends CodedError<"search.failed" | "search.busy" | "search.bad-pattern"> {
  override readonly name = "TreeSearchError";
}

/** What a thread found, and why it is not all. */
export interface TreeFindings {
  readonly lines: readonly string[];
  readonly skipped: Skipped;
  readonly ended: NonNullable<TreePart["ended"]>;
}

export interface TreeThreadsOptions {
  /** How many run at once. Default 4. */
  readonly most?: number;
}

/** Threads that each look through one tree; others wait in order. */
export class TreeThreads {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor({ most = 4 }: TreeThreadsOptions = {}) {
    this.#most = most;
  }

  /**
   * Runs a job once there is room.
   * @throws TreeSearchError, or the signal's reason
   */
  async run(job: TreeJob, signal: AbortSignal): Promise<TreeFindings> {
    if (this.#waiting.length >= MAX_WAITING) throw new TreeSearchError("search.busy", "too many searches wait already");
    if (this.#running >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      signal.throwIfAborted();
      return await inThread(job, signal);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}

function inThread(job: TreeJob, signal: AbortSignal): Promise<TreeFindings> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(ENTRY, { workerData: job, execArgv: [], resourceLimits: RESOURCE_LIMITS, name: "tree" });
    const lines: string[] = [];
    let skipped: Skipped = { ignored: 0, binary: 0, large: 0, secret: 0, unreadable: 0 };
    const end = (ended: TreeFindings["ended"]): void => resolve({ lines, skipped, ended });
    const failed = (error?: Error): void =>
      reject(
        new TreeSearchError("search.failed", "the search failed: the tree is too large or changed", { cause: error }),
      );
    const onAbort = (): void => {
      reject(signal.reason as Error);
      void worker.terminate();
    };
    const timer = setTimeout(() => {
      end("time");
      void worker.terminate();
    }, job.deadlineMs + GRACE_MS);
    signal.addEventListener("abort", onAbort, { once: true });
    worker.on("message", (part: TreePart) => {
      lines.push(...part.lines);
      skipped = part.skipped;
      if (part.ended !== undefined) end(part.ended);
    });
    worker.once("error", failed);
    worker.once("exit", () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      failed();
    });
  });
}

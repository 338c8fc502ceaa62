/**
 * Reads pages off the main thread.
 *
 * 1. A page has a thread of its own, which ends with it: nothing a page does outlives it.
 * 2. At most `MAX_THREADS` run at once; further pages wait.
 * 3. A thread that takes too long or too much memory is ended, and so is one whose caller left.
 */
import { Worker } from "node:worker_threads";
import type { PageAnswers, PageJob, PageReply } from "./page-message.ts";
import { WebToolError } from "./web-tool-error.ts";

// Run from source the entry is `.ts`, built it is `.js`.
const ENTRY = new URL(import.meta.url.endsWith(".ts") ? "./page-worker.ts" : "./page-worker.js", import.meta.url);

const MAX_THREADS = 2;

const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/** Reads pages, a thread for each. */
export interface PageReader {
  /** Rejects with `WebToolError` `page.unreadable` or `page.slow`, or with the signal's reason. */
  read<Job extends PageJob>(job: Job, signal: AbortSignal): Promise<PageAnswers[Job["kind"]]>;
}

function inThread(job: PageJob, timeoutMs: number, signal: AbortSignal): Promise<NonNullable<PageReply>> {
  return new Promise((resolve, reject) => {
    const unreadable = (): void => reject(new WebToolError("page.unreadable", "the page cannot be read"));
    const worker = new Worker(ENTRY, { workerData: job, execArgv: [], resourceLimits: RESOURCE_LIMITS, name: "page" });
    const end = (error: unknown): void => {
      reject(error);
      void worker.terminate();
    };
    const onAbort = (): void => end(signal.reason);
    const late = new WebToolError("page.slow", `the page could not be read within ${timeoutMs} ms`);
    const timer = setTimeout(() => end(late), timeoutMs);
    signal.addEventListener("abort", onAbort, { once: true });
    worker.once("message", (reply: PageReply) => (reply === undefined ? unreadable() : resolve(reply)));
    worker.once("error", unreadable);
    worker.once("exit", () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      unreadable();
    });
  });
}

/** Makes a reader; it starts nothing until a page comes. `timeoutMs` is per page, after its wait. */
export function createPageReader({ timeoutMs }: { readonly timeoutMs: number }): PageReader {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async read<Job extends PageJob>(job: Job, signal: AbortSignal) {
      if (running >= MAX_THREADS) await new Promise<void>((resolve) => waiting.push(resolve));
      else running++;
      try {
        signal.throwIfAborted();
        // The thread answers each kind of job with its own kind of answer.
        return (await inThread(job, timeoutMs, signal)) as PageAnswers[Job["kind"]];
      } finally {
        const next = waiting.shift();
        if (next === undefined) running--;
        else next();
      }
    },
  };
}

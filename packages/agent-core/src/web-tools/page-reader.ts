/**
 * Reads pages off the main thread.
 *
 * 1. A page has a thread of its own, which ends with it: nothing a page does outlives it.
 * 2. At most `MAX_THREADS` run at once; so many more wait, and the others are refused.
 * 3. A thread that takes too long or too much memory is ended, and so is one whose caller left. What it unpacks lies
 *    outside of its heap, which the limits of a thread do not count, so that is looked at while it works.
 */
import { Worker } from "node:worker_threads";
import type { PageAnswers, PageJob, PageReply } from "./page-message.ts";
import { WebToolError } from "./web-tool-error.ts";

// Run from source the entry is `.ts`, built it is `.js`.
const ENTRY = new URL(import.meta.url.endsWith(".ts") ? "./page-worker.ts" : "./page-worker.js", import.meta.url);

const MAX_THREADS = 2;
const MAX_WAITING = 100;

/** Bytes outside of its heap that a thread may hold: a few kilobytes of a PDF can unpack to any number. */
const MAX_UNPACKED_BYTES = 384 * 1024 * 1024;
/** Milliseconds between two looks at what a thread holds. */
const LOOK_MS = 50;

const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/** Bounds of a reader. */
export interface PageLimits {
  /** Of each page, after its wait. */
  readonly timeoutMs: number;
  /** Pages that wait. Default 100. */
  readonly waiting?: number;
  /** What a page may unpack to. Default 384 MiB. */
  readonly unpackedBytes?: number;
}

/** Reads pages, a thread for each. */
export interface PageReader {
  /** Rejects with `WebToolError` `page.unreadable`, `page.slow`, `page.too-large` or `page.busy`, or with the signal's reason. */
  read<Job extends PageJob>(job: Job, signal: AbortSignal): Promise<PageAnswers[Job["kind"]]>;
}

function inThread(
  job: PageJob,
  { timeoutMs, unpackedBytes = MAX_UNPACKED_BYTES }: PageLimits,
  signal: AbortSignal,
): Promise<NonNullable<PageReply>> {
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
    const large = new WebToolError("page.too-large", "the page takes too much memory to be read");
    const look = setInterval(() => {
      const isLarge = worker.getHeapStatistics().then((held) => held.external_memory > unpackedBytes);
      // It rejects where the thread has ended.
      void isLarge.then(
        (is) => is && end(large),
        () => {},
      );
    }, LOOK_MS);
    worker.once("message", (reply: PageReply) => (reply === undefined ? unreadable() : resolve(reply)));
    worker.once("error", unreadable);
    worker.once("exit", () => {
      clearTimeout(timer);
      clearInterval(look);
      signal.removeEventListener("abort", onAbort);
      unreadable();
    });
  });
}

/** Makes a reader; it starts nothing until a page comes. */
export function createPageReader(limits: PageLimits): PageReader {
  const { waiting: mostWaiting = MAX_WAITING } = limits;
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async read<Job extends PageJob>(job: Job, signal: AbortSignal) {
      if (waiting.length >= mostWaiting) throw new WebToolError("page.busy", "too many pages wait to be read already");
      if (running >= MAX_THREADS) await new Promise<void>((resolve) => waiting.push(resolve));
      else running++;
      try {
        signal.throwIfAborted();
        // The thread answers each kind of job with its own kind of answer.
        return (await inThread(job, limits, signal)) as PageAnswers[Job["kind"]];
      } finally {
        const next = waiting.shift();
        if (next === undefined) running--;
        else next();
      }
    },
  };
}

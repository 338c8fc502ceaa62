/** Reads the files of projects off the main thread, so that a large tree holds up nothing, and ends late jobs. */
import { setImmediate as turn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { CodedError } from "../error/index.ts";
import type { Redactor } from "../redaction/index.ts";
import type { Compared, CompareJob, NoteJob, NoteTaken, SecretQuestion, TreeAnswer } from "./note-message.ts";

// Run from source the entry is `.ts`, built it is `.js`.
const ENTRY = new URL(import.meta.url.endsWith(".ts") ? "./note-worker.ts" : "./note-worker.js", import.meta.url);

const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };
/** Milliseconds that a thread has beyond its deadline to end by itself. */
const GRACE_MS = 2_000;
const AT_ONCE = 2;

/** Files of a project could not be noted or compared. */
export class NoteError extends CodedError<"note.failed" | "note.late" | "note.no-room"> {
  override readonly name = "NoteError";
}

/** Threads that each do one job; others wait in order. */
export class NoteThreads {
  readonly #redactor: Pick<Redactor, "known">;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(redactor: Pick<Redactor, "known">) {
    this.#redactor = redactor;
  }

  /** @throws NoteError, or the signal's reason */
  async note(job: NoteJob, signal: AbortSignal): Promise<NoteTaken> {
    const answer = await this.#run(job, signal);
    if ("taken" in answer) return answer.taken;
    throw new NoteError("note.failed", "the files could not be noted");
  }

  /** @throws NoteError, or the signal's reason */
  async compare(job: CompareJob, signal: AbortSignal): Promise<Compared> {
    const answer = await this.#run(job, signal);
    if ("compared" in answer) return answer.compared;
    throw new NoteError("note.failed", "the files could not be compared");
  }

  async #run(job: NoteJob | CompareJob, signal: AbortSignal): Promise<TreeAnswer> {
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      signal.throwIfAborted();
      return await inThread(job, signal, (question) => this.#holdSecrets(question));
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }

  /** Other work has its turn between two files. */
  async #holdSecrets({ contents }: SecretQuestion): Promise<readonly boolean[]> {
    const secret: boolean[] = [];
    for (const content of contents) {
      const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString();
      secret.push(this.#redactor.known(text) !== text);
      if (content.byteLength > 65_536 || secret.length % 50 === 0) await turn();
    }
    return secret;
  }
}

function inThread(
  job: NoteJob | CompareJob,
  signal: AbortSignal,
  holdSecrets: (question: SecretQuestion) => Promise<readonly boolean[]>,
): Promise<TreeAnswer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(ENTRY, { workerData: job, execArgv: [], resourceLimits: RESOURCE_LIMITS, name: "note" });
    const stop = (error: unknown): void => {
      reject(error as Error);
      void worker.terminate();
    };
    const onAbort = (): void => stop(signal.reason);
    const late = (): void => stop(new NoteError("note.late", "reading its files took too long"));
    const timer = setTimeout(late, job.deadlineMs + GRACE_MS);
    signal.addEventListener("abort", onAbort, { once: true });
    worker.on("message", (answer: TreeAnswer) => {
      if ("contents" in answer) void holdSecrets(answer).then((secret) => worker.postMessage(secret), stop);
      else resolve(answer);
    });
    worker.once("error", (cause: NodeJS.ErrnoException) => {
      const isFull = cause.code === "ENOSPC" || cause.code === "EDQUOT";
      const why = isFull ? "there is no room on the disk" : "its files cannot be read";
      reject(new NoteError(isFull ? "note.no-room" : "note.failed", why, { cause }));
    });
    worker.once("exit", () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      reject(new NoteError("note.failed", "its files cannot be read"));
    });
  });
}

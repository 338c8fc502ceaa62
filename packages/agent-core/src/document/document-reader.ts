/**
 * Reads documents off the main thread.
 *
 * 1. A document has a thread of its own, which ends with it: nothing a document does outlives it.
 * 2. A thread that takes too long or too much memory is ended. What it unpacks lies outside of its heap, which the limits of
 *    a thread do not count, so that is looked at while it works.
 * 3. What reaches the main thread at a time is small, whatever the size of the document (KM8).
 */
import { Worker } from "node:worker_threads";
import { DocumentError } from "./document-error.ts";
import { DOCUMENT_LIMITS } from "./document-limits.ts";
import type { DocumentInput, FromThread, Piece, ToThread } from "./document-message.ts";
import type { DocumentType } from "./document-type.ts";

// Run from source the entry is `.ts`, built it is `.js`.
const ENTRY = new URL(
  import.meta.url.endsWith(".ts") ? "./document-worker.ts" : "./document-worker.js",
  import.meta.url,
);
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
/** Milliseconds between two looks at what a thread holds. */
const LOOK_MS = 50;
/** Bytes outside of its heap beside what may be unpacked: the document itself, and copies of it. */
const OWN_BYTES = 128 * 1024 * 1024;

export interface ReadDocumentOptions {
  /** Takes secrets out of a text (S5). */
  readonly redact: (text: string) => string;
  readonly signal: AbortSignal;
  /** The bytes have a buffer of their own, which may go to the thread: to copy a large one holds up everything else. */
  readonly givesBytes?: boolean;
  /** Milliseconds until it is read. Default 120,000. */
  readonly readMs?: number;
}

/** A document that was read; its thread holds the pieces until it is closed. */
export interface ReadDocument {
  readonly type: DocumentType;
  /** Blank: it says none. */
  readonly title: string;
  readonly chars: number;
  /** How many there are. */
  readonly pieces: number;
  /** Its first 10,000 characters, under its headings. */
  readonly opening: string;
  /** So many further pieces; none: that were all. @throws DocumentError */
  next(pieces: number): Promise<readonly Piece[]>;
  close(): Promise<void>;
}

/** Reads a document and cuts it into pieces. Whoever gets it closes it. @throws DocumentError, or the signal's reason */
export async function readDocument(input: DocumentInput, options: ReadDocumentOptions): Promise<ReadDocument> {
  const { redact, signal, givesBytes = false, readMs = DOCUMENT_LIMITS.readMs } = options;
  signal.throwIfAborted();
  const thread = new DocumentThread(input, signal, givesBytes);
  const timer = setTimeout(
    () => thread.end(new DocumentError("document.slow", `the document could not be read within ${readMs} ms`)),
    readMs,
  );
  try {
    for (let said = await thread.hear(); ; said = await thread.hear()) {
      if (said.kind === "texts") thread.say({ kind: "texts", texts: said.texts.map(redact) });
      if (said.kind !== "cut") continue;
      let given = 0;
      return {
        ...{ type: said.type, title: said.title, chars: said.chars, pieces: said.pieces, opening: said.opening },
        async next(pieces) {
          if (given >= said.pieces) return [];
          thread.say({ kind: "next", pieces });
          const answer = await thread.hear();
          if (answer.kind !== "pieces") throw new DocumentError("document.unreadable", "the document cannot be read");
          given += answer.pieces.length;
          return answer.pieces;
        },
        close: () => thread.close(),
      };
    }
  } catch (error) {
    await thread.close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** One thread; what it says is heard one by one. */
class DocumentThread {
  readonly #worker: Worker;
  readonly #heard: FromThread[] = [];
  #waiting: PromiseWithResolvers<FromThread> | undefined;
  #failed: { readonly reason: unknown } | undefined;

  constructor(input: DocumentInput, signal: AbortSignal, givesBytes: boolean) {
    this.#worker = new Worker(ENTRY, {
      ...{ workerData: input, execArgv: [], resourceLimits: RESOURCE_LIMITS, name: "document" },
      ...(givesBytes && { transferList: [input.bytes.buffer as ArrayBuffer] }),
    });
    const unreadable = (): void => this.end(new DocumentError("document.unreadable", "the document cannot be read"));
    const large = new DocumentError("document.too-large", "the document takes too much memory to be read");
    const onAbort = (): void => this.end(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    const look = setInterval(() => {
      const most = DOCUMENT_LIMITS.unpackedBytes + OWN_BYTES;
      const isLarge = this.#worker.getHeapStatistics().then((held) => held.external_memory > most);
      // It rejects where the thread has ended.
      void isLarge.then(
        (is) => is && this.end(large),
        () => {},
      );
    }, LOOK_MS);
    this.#worker.on("message", (said: FromThread) => {
      if (said.kind === "failed") return this.end(new DocumentError(said.code, said.message));
      if (this.#waiting === undefined) this.#heard.push(said);
      else this.#waiting.resolve(said);
      this.#waiting = undefined;
    });
    this.#worker.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "ERR_WORKER_OUT_OF_MEMORY" ? this.end(large) : unreadable(),
    );
    this.#worker.once("exit", () => {
      clearInterval(look);
      signal.removeEventListener("abort", onAbort);
      unreadable();
    });
  }

  say(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  /** The next thing it says. Rejects once it has ended. */
  hear(): Promise<FromThread> {
    const said = this.#heard.shift();
    if (said !== undefined) return Promise.resolve(said);
    if (this.#failed !== undefined) return Promise.reject(this.#failed.reason);
    this.#waiting = Promise.withResolvers();
    return this.#waiting.promise;
  }

  /** Ends it, unless it has ended. */
  end(reason: unknown): void {
    this.#failed ??= { reason };
    this.#waiting?.reject(this.#failed.reason);
    this.#waiting = undefined;
    void this.#worker.terminate();
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

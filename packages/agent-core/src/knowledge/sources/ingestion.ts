/** Reads documents that wait, one after the other. What a former process left is begun anew. */
import type { EventBus } from "../../bus/index.ts";
import { isStoreGone } from "../../database/index.ts";
import { cutText, DocumentError, type ReadDocument, readDocument } from "../../document/index.ts";
import { KNOWLEDGE_LIMITS } from "../chunk.ts";
import { KnowledgeError } from "../knowledge-error.ts";
import { SOURCE_LIMITS, type Source } from "./source.ts";
import type { Claimed, SourceStore } from "./source-store.ts";

export interface IngestionOptions {
  readonly store: SourceStore;
  /** Gets `knowledge.changed` and `memory.hot_written`. */
  readonly bus: EventBus;
  /** Takes secrets out of what is stored (S5). */
  readonly redact: (text: string) => string;
  readonly onFailure: (error: unknown) => void;
}

/** Chunks between two events that tell how far a document is. */
const NEWS_EVERY = 10 * SOURCE_LIMITS.bite;

/** The one reader of a store's documents. */
export class Ingestion {
  readonly #options: IngestionOptions;
  readonly #stop = new AbortController();
  readonly #waiting = new Map<number, PromiseWithResolvers<void>>();
  #running: Promise<void> | undefined;
  #again = false;

  constructor(options: IngestionOptions) {
    this.#options = options;
  }

  /** Something waits. */
  wake(): void {
    this.#again = true;
    if (this.#running !== undefined || this.#stop.signal.aborted) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      if (this.#again) this.wake();
    });
  }

  /** Resolves once the source is ready or failed; rejects with the signal's reason, and the reading goes on. */
  async settled(id: number, signal: AbortSignal): Promise<Source> {
    for (;;) {
      const source = await this.#options.store.rows.find(id);
      if (source === undefined) throw new KnowledgeError("unknown_source", `there is no source ${id}`);
      if (!["receiving", "queued", "reading"].includes(source.state)) return source;
      signal.throwIfAborted();
      const change = this.#waiting.get(id) ?? Promise.withResolvers<void>();
      this.#waiting.set(id, change);
      this.wake();
      const left = Promise.withResolvers<never>();
      const onAbort = (): void => left.reject(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        await Promise.race([change.promise, left.promise]);
      } finally {
        signal.removeEventListener("abort", onAbort);
      }
    }
  }

  /** Ends the reading; what is not read stays for the next process. */
  async close(): Promise<void> {
    this.#stop.abort(new KnowledgeError("stopping", "the service is stopping"));
    await this.#running;
    for (const { resolve } of this.#waiting.values()) resolve();
  }

  async #run(): Promise<void> {
    try {
      await this.#options.store.recover();
      while (this.#again) {
        this.#again = false;
        for (
          let claimed = await this.#options.store.claim();
          claimed !== undefined && !this.#stop.signal.aborted;
          claimed = await this.#options.store.claim()
        )
          await this.#read(claimed);
      }
    } catch (error) {
      this.#again = false;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
      if (!isStoreGone(error)) this.#options.onFailure(error);
    }
  }

  async #read(claimed: Claimed): Promise<void> {
    const { id } = claimed.source;
    try {
      await this.#take(claimed);
    } catch (error) {
      if (this.#stop.signal.aborted || isStoreGone(error)) return;
      const known = error instanceof DocumentError || error instanceof KnowledgeError;
      if (!known) this.#options.onFailure(error);
      const [code, message] = known ? [error.code, error.message] : ["failed", "the store could not take it"];
      await this.#options.store.fail(id, code, message);
      this.#publish(id, "source_failed");
    } finally {
      this.#waiting.get(id)?.resolve();
      this.#waiting.delete(id);
    }
  }

  async #take({ source, mediaType, bytes }: Claimed): Promise<void> {
    const { store, redact, bus } = this.#options;
    const { id, name, uri } = source;
    const url = /^https?:/.test(uri) ? uri : "";
    const reading = { redact, signal: this.#stop.signal, givesBytes: true };
    const document = await readDocument({ bytes, name, mediaType, url }, reading);
    try {
      const title = cutText(source.title || document.title.replaceAll(/\s+/g, " ").trim() || name, SOURCE_LIMITS.title);
      const { type, chars, pieces: total } = document;
      await store.measured(source, { type, title, chars, total });
      if (!(await this.#store(id, title, document))) return;
    } finally {
      await document.close();
    }
    if (!(await store.finish(id))) return;
    this.#publish(id, "source_ready");
    if (source.domain !== "hot") return;
    for (const { id: chunk_id, preview } of await store.rows.alwaysOn(id))
      bus.publish("memory.hot_written", { chunk_id, source: String(id), source_type: "source", preview });
  }

  /** False: it is not to be read any more. */
  async #store(id: number, title: string, document: ReadDocument): Promise<boolean> {
    let place = 0;
    for (
      let pieces = await document.next(SOURCE_LIMITS.bite);
      pieces.length > 0;
      pieces = await document.next(SOURCE_LIMITS.bite)
    ) {
      this.#stop.signal.throwIfAborted();
      const chunks = pieces.map(({ heading, text }) => ({
        content: text,
        heading: cutText(headingIn(title, heading), KNOWLEDGE_LIMITS.heading),
      }));
      // It was forgotten meanwhile.
      if (!(await this.#options.store.append(id, place, chunks))) return false;
      place += chunks.length;
      if (place % NEWS_EVERY < SOURCE_LIMITS.bite) this.#publish(id, "source_reading");
    }
    return true;
  }

  #publish(id: number, action: string): void {
    this.#options.bus.publish("knowledge.changed", { source_id: id, action });
  }
}

/** Of a piece: the document's title is often its first heading, and said once. */
function headingIn(title: string, heading: string): string {
  if (heading === title || heading.startsWith(`${title} › `)) return heading;
  return [title, heading].filter((one) => one !== "").join(" › ");
}

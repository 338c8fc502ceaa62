/** Documents as operators and the agent hand them over, see and remove them (K22 to K24). */
import { webcrypto } from "node:crypto";
import type { EventBus } from "../../bus/index.ts";
import { storableText } from "../../database/index.ts";
import { DOCUMENT_LIMITS, DocumentError } from "../../document/index.ts";
import type { Egress } from "../../egress/index.ts";
import { folded } from "../chunk.ts";
import { KnowledgeError } from "../knowledge-error.ts";
import { fetchSource } from "./fetch-source.ts";
import type { Ingestion } from "./ingestion.ts";
import { type Handed, SOURCE_LIMITS, type Source, shownName } from "./source.ts";
import type { SourceStore } from "./source-store.ts";

export interface SourcesOptions {
  readonly store: SourceStore;
  readonly ingestion: Ingestion;
  readonly bus: EventBus;
  /** Takes secrets out of what is stored (S5). */
  readonly redact: (text: string) => string;
  /** The guard of addresses; asked at each fetch. Absent: no address is fetched. */
  readonly egress?: (() => Egress) | undefined;
}

/** Which one: a number, or an address, title or file name. */
export type SourceReference = { readonly id: number } | { readonly named: string };

/** Documents: handed over, waited for, listed, removed, restored. */
export class Sources {
  readonly #options: SourcesOptions;

  constructor(options: SourcesOptions) {
    this.#options = options;
  }

  /**
   * Stores a document, which is read behind the answer; durable when it resolves.
   * @throws DocumentError empty, too-large @throws KnowledgeError too_many_waiting @throws DatabaseError
   */
  async hand(handed: Handed): Promise<Source> {
    const { bytes, uri = "", name = "", mediaType = "", domain = "general", namespace = "", title = "" } = handed;
    const { held, session = "", task = "" } = handed;
    if (bytes.length === 0) throw new DocumentError("document.empty", "the document is empty");
    if (bytes.length > DOCUMENT_LIMITS.bytes)
      throw new DocumentError("document.too-large", `a document has at most ${DOCUMENT_LIMITS.bytes} bytes`);
    const clean = (text: string, most: number): string =>
      storableText(this.#options.redact(text)).trim().slice(0, most).toWellFormed();
    const digest = Buffer.from(await webcrypto.subtle.digest("SHA-256", new Uint8Array(bytes))).toString("hex");
    const { source } = await this.#options.store.receive(
      {
        ...{ bytes, namespace, held, session, task, uri: clean(uri, SOURCE_LIMITS.uri) },
        ...{ name: clean(shownName(name), SOURCE_LIMITS.name), title: clean(title, SOURCE_LIMITS.title) },
        ...{ mediaType: clean(mediaType, 200), domain: folded(clean(domain, 64)) || "general" },
      },
      digest,
    );
    this.#options.ingestion.wake();
    return source;
  }

  /** What lies at an address. @throws EgressError @throws KnowledgeError not_fetched */
  async fetch(url: string, signal: AbortSignal): Promise<Handed> {
    const { egress } = this.#options;
    if (egress === undefined) throw new KnowledgeError("not_fetched", "no address is fetched here");
    return fetchSource(url, egress(), signal);
  }

  /**
   * Waits until a source was read. Leaving does not end the reading.
   * @throws DocumentError why it failed @throws KnowledgeError unknown_source, full, too_many_always_on
   */
  async ready(
    id: number,
    signal: AbortSignal,
  ): Promise<{ readonly source: Source; readonly chunks: readonly number[] }> {
    const source = await this.#options.ingestion.settled(id, signal);
    if (source.state === "failed") throw failureOf(source);
    return { source, chunks: await this.#options.store.rows.chunkIds(id) };
  }

  /** Newest first, below the number `before`; `removed`: with those that can be restored. @throws DatabaseError */
  list({
    domain = "",
    removed = false,
    limit = 50,
    before = Number.MAX_SAFE_INTEGER,
  } = {}): Promise<readonly Source[]> {
    return this.#options.store.rows.list(folded(domain), removed, limit, before);
  }

  /** @throws KnowledgeError unknown_source */
  async find(id: number): Promise<Source> {
    const source = await this.#options.store.rows.find(id);
    if (source === undefined || source.state === "receiving") throw unknown();
    return source;
  }

  /** Takes it out of every search at once; it can be restored for a day. Answers how many chunks went. @throws KnowledgeError unknown_source */
  async remove(which: SourceReference): Promise<number> {
    const source = await this.#which(which, "ready", "ready");
    if (!(await this.#options.store.rows.remove(source.id))) throw unknown();
    this.#options.bus.publish("knowledge.changed", { source_id: source.id, action: "source_removed" });
    return (await this.#options.store.rows.chunkIds(source.id)).length;
  }

  /** Shows it again. @throws KnowledgeError unknown_source, too_late */
  async restore(which: SourceReference): Promise<number> {
    const source = await this.#which(which, "removed", "ready");
    if (source.state !== "ready") {
      if (!(await this.#options.store.rows.restore(source.id)))
        throw new KnowledgeError("too_late", "it was removed more than a day ago");
      this.#options.bus.publish("knowledge.changed", { source_id: source.id, action: "source_restored" });
    }
    return (await this.#options.store.rows.chunkIds(source.id)).length;
  }

  async #which(which: SourceReference, first: "ready" | "removed", second: "ready"): Promise<Source> {
    const { store } = this.#options;
    const found = "id" in which ? await store.rows.find(which.id) : await store.rows.named(which.named, first, second);
    if (found === undefined || (found.state !== first && found.state !== second)) throw unknown();
    return found;
  }
}

function unknown(): KnowledgeError {
  return new KnowledgeError("unknown_source", "there is no such source");
}

function failureOf({ errorCode, error }: Source): Error {
  if (errorCode.startsWith("document.")) return new DocumentError(errorCode as DocumentError["code"], error);
  if (errorCode === "full" || errorCode === "too_many_always_on") return new KnowledgeError(errorCode, error);
  return new KnowledgeError("not_read", error);
}

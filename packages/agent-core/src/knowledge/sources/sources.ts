/** Documents as operators and the agent hand them over, see and remove them (K22 to K24). */
import type { EventBus } from "../../bus/index.ts";
import { storableText } from "../../database/index.ts";
import {
  copyInPieces,
  cutText,
  DOCUMENT_LIMITS,
  DocumentError,
  digestInPieces,
  readDocument,
} from "../../document/index.ts";
import type { Egress } from "../../egress/index.ts";
import { folded } from "../chunk.ts";
import { KnowledgeError } from "../knowledge-error.ts";
import { fetchSource } from "./fetch-source.ts";
import type { Ingestion } from "./ingestion.ts";
import { attachmentsOf, type Handed, SOURCE_LIMITS, type Source, shownName } from "./source.ts";
import type { SourceStore } from "./source-store.ts";

export interface SourcesOptions {
  readonly store: SourceStore;
  readonly ingestion: Ingestion;
  readonly bus: EventBus;
  /** Whether the store has been made: reading makes none. */
  readonly exists: () => boolean;
  /** Takes secrets out of what is stored (S5). */
  readonly redact: (text: string) => string;
  /** The guard of addresses; asked at each fetch. Absent: no address is fetched. */
  readonly egress?: (() => Egress) | undefined;
}

/** Which one: a number, or an address, title or file name. */
export type SourceReference = { readonly id: number } | { readonly named: string };

/** Characters up to which an attachment is given whole, and those that are given of a longer one. */
const INLINE_CHARS = 8_000;
const OPENING_CHARS = 2_000;
/** Attachments that are read, or wait for it. */
const MOST_ATTACHING = 8;

/** A document of one conversation. */
export interface Attached {
  readonly mode: "inline" | "indexed";
  /** What the conversation is given of it. */
  readonly context: string;
  readonly chars: number;
  readonly type: string;
  readonly title: string;
  /** Undefined: it is stored nowhere. */
  readonly source: number | undefined;
}

/** Documents: handed over, waited for, listed, removed, restored. */
export class Sources {
  readonly #options: SourcesOptions;
  #attaching = 0;

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
    checkSize(bytes);
    const clean = (text: string, most: number): string =>
      storableText(this.#options.redact(text)).trim().slice(0, most).toWellFormed();
    const digest = await digestInPieces(bytes);
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

  /**
   * Reads a document for one conversation: a short one is given whole and stored nowhere, of a longer one the opening, and
   * its chunks are recalled in that conversation alone.
   * @throws DocumentError @throws KnowledgeError too_many_waiting, full @throws DatabaseError
   */
  async attach(handed: Handed, session: string, signal: AbortSignal): Promise<Attached> {
    if (this.#attaching >= MOST_ATTACHING)
      throw new KnowledgeError("too_many_waiting", "too many documents wait to be read already");
    this.#attaching++;
    try {
      const { bytes, name = "", mediaType = "" } = handed;
      checkSize(bytes);
      const input = { bytes: await copyInPieces(bytes), name, mediaType, url: "" };
      const document = await readDocument(input, { redact: this.#options.redact, signal, givesBytes: true });
      await document.close();
      const { chars, type, opening } = document;
      const title = document.title || shownName(name);
      if (chars <= INLINE_CHARS) return { mode: "inline", context: opening, chars, type, title, source: undefined };
      const { id } = await this.hand({ ...handed, namespace: attachmentsOf(session), session });
      await this.ready(id, signal);
      return { mode: "indexed", context: cutText(opening, OPENING_CHARS), chars, type, title, source: id };
    } finally {
      this.#attaching--;
    }
  }

  /** Newest first, below the number `before`; `removed`: with those that can be restored. @throws DatabaseError */
  async list({
    domain = "",
    removed = false,
    limit = 50,
    before = Number.MAX_SAFE_INTEGER,
  } = {}): Promise<readonly Source[]> {
    return this.#options.exists() ? this.#options.store.rows.list(folded(domain), removed, limit, before) : [];
  }

  /** @throws KnowledgeError unknown_source */
  async find(id: number): Promise<Source> {
    const source = this.#options.exists() ? await this.#options.store.rows.find(id) : undefined;
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
    const { store, exists } = this.#options;
    if (!exists()) throw unknown();
    const found = "id" in which ? await store.rows.find(which.id) : await store.rows.named(which.named, first, second);
    if (found === undefined || (found.state !== first && found.state !== second)) throw unknown();
    return found;
  }
}

function checkSize({ length }: Uint8Array): void {
  if (length === 0) throw new DocumentError("document.empty", "the document is empty");
  if (length > DOCUMENT_LIMITS.bytes)
    throw new DocumentError("document.too-large", `a document has at most ${DOCUMENT_LIMITS.bytes} bytes`);
}

function unknown(): KnowledgeError {
  return new KnowledgeError("unknown_source", "there is no such source");
}

function failureOf({ errorCode, error }: Source): Error {
  if (errorCode.startsWith("document.")) return new DocumentError(errorCode as DocumentError["code"], error);
  if (errorCode === "full" || errorCode === "too_many_always_on") return new KnowledgeError(errorCode, error);
  return new KnowledgeError("not_read", error);
}

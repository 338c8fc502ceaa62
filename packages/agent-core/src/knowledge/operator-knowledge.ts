/** What operators do with memories (K5, K8, K11, K21): find, add, edit, delete, and decide about those that wait. */
import type { EventBus } from "../bus/index.ts";
import type { Clock } from "../clock/index.ts";
import { type Database, storableText } from "../database/index.ts";
import {
  type Chunk,
  type ChunkFilter,
  COMMONS,
  type DeliveryPolicy,
  folded,
  KNOWLEDGE_LIMITS,
  type KnowledgeStats,
  type MemoryKind,
  subjectKey,
} from "./chunk.ts";
import { chunkOf } from "./chunk-statements.ts";
import { chooseMemories, type ForgetScope } from "./forgetting/forget-scope.ts";
import { KnowledgeError } from "./knowledge-error.ts";
import type { KnowledgeSearch, SearchMode, SearchResult } from "./knowledge-search.ts";
import type { KnowledgeStore } from "./knowledge-store.ts";
import { operatorStatements } from "./operator-statements.ts";
import { rejecting, unrejecting } from "./rejected-words.ts";
import { indexedText } from "./search-words.ts";

export interface OperatorKnowledgeOptions {
  readonly store: KnowledgeStore;
  readonly search: Pick<KnowledgeSearch, "search">;
  /** Whether the store has been made: reading makes none. */
  readonly exists: () => boolean;
  readonly clock: Pick<Clock, "now">;
  readonly bus: EventBus;
  readonly newId: () => string;
  readonly forget: (scope: ForgetScope) => Promise<unknown>;
  /** Takes secrets out of what is stored (S5). */
  readonly redact: (text: string) => string;
}

/** Memories of which texts are told. */
const MOST_TEXTS = 1_000;
const DAY_MS = 86_400_000;
/** How long what was taken out of every answer can be brought back. */
const RESTORABLE_MS = DAY_MS;

/** A memory as an operator writes it; absent members stay, or are the defaults of a new one. */
export interface ChunkDraft {
  readonly content?: string | undefined;
  readonly domain?: string | undefined;
  readonly heading?: string | undefined;
  readonly subject?: string | undefined;
  readonly kind?: MemoryKind | undefined;
  readonly policy?: DeliveryPolicy | undefined;
}

/** Memories as operators find and change them; what they write is trusted most. */
export class OperatorKnowledge {
  readonly #options: OperatorKnowledgeOptions;
  readonly #sql = operatorStatements();

  constructor(options: OperatorKnowledgeOptions) {
    this.#options = options;
  }

  /** `#17` is the memory of that number, whatever its state. @throws DatabaseError */
  async search(text: string, filter: ChunkFilter, limit: number, mode: SearchMode): Promise<SearchResult> {
    const plain = { mode: "keyword", isDegraded: false, isIndexing: false } as const;
    if (!this.#options.exists()) return { chunks: [], scores: [], ...plain };
    const [, number] = /^#([1-9]\d{0,14})$/.exec(text.trim()) ?? [];
    if (number !== undefined) {
      const chunk = await this.#options.store.find(Number(number));
      return { chunks: chunk === undefined ? [] : [chunk], scores: chunk === undefined ? [] : [1], ...plain };
    }
    return this.#options.search.search(text, filter, limit, mode);
  }

  /** The newest first, below `before`. @throws DatabaseError */
  async list(filter: ChunkFilter, limit: number, before?: number): Promise<readonly Chunk[]> {
    return this.#options.exists() ? this.#options.store.list(filter, limit, before) : [];
  }

  /** Undefined: there is none. @throws DatabaseError */
  async find(id: number): Promise<Chunk | undefined> {
    return this.#options.exists() ? this.#options.store.find(id) : undefined;
  }

  /** Rows of memories, replaced ones included, and how many wait. @throws DatabaseError */
  async size(): Promise<{ readonly chunks: number; readonly pending: number }> {
    if (!this.#options.exists()) return { chunks: 0, pending: 0 };
    const [row] = await this.#options.store.read((db) => db.read(this.#sql.size.bind({})));
    return { chunks: Number(row?.[0]), pending: Number(row?.[1]) };
  }

  async stats(): Promise<KnowledgeStats> {
    return this.#options.exists() ? this.#options.store.stats() : { domains: {}, total: 0, pending: 0 };
  }

  /** @throws KnowledgeError full, too_many_always_on @throws DatabaseError */
  async add(draft: ChunkDraft & { readonly content: string; readonly days?: number | undefined }): Promise<Chunk> {
    const { store, newId, clock } = this.#options;
    const { content, domain = "general", heading = "", subject = "", kind = "note", policy = "retrieved" } = draft;
    const stored = await store.remember(
      {
        ...{ content, domain, heading, subject, kind, policy, session: "", task: "" },
        expiresAt: draft.days === undefined ? undefined : clock.now() + draft.days * DAY_MS,
        ...{ trust: "operator", held: undefined },
      },
      `operator:${newId()}`,
    );
    return this.#known(stored.id);
  }

  /** Another text under the same number and the next revision; it is the operator's from then on. @throws KnowledgeError unknown_chunk, too_many_always_on */
  async edit(id: number, draft: ChunkDraft): Promise<Chunk> {
    const { store, bus, redact } = this.#options;
    const becomesAlwaysOn = await store.alone(async (db) => {
      const before = await this.#own(id);
      const clean = (text: string | undefined, known: string): string =>
        text === undefined ? known : storableText(redact(text)).trim();
      const domain = folded(clean(draft.domain, before.domain));
      const policy = domain === "hot" ? "always" : (draft.policy ?? before.policy);
      const { kind = before.kind } = draft;
      const after = {
        content: clean(draft.content, before.content),
        heading: clean(draft.heading, before.heading),
        subject: clean(draft.subject, before.subject),
      };
      const isNewlyAlways = policy === "always" && (before.policy !== "always" || before.review !== "accepted");
      if (isNewlyAlways) await this.#checkAlwaysOn(db);
      const title = `${after.subject} ${after.heading}`;
      const now = this.#options.clock.now();
      await db.commit({
        label: "knowledge.edit",
        // The words of the former text are taken out of the index by that text.
        statements: [
          this.#sql.unindex.bind({ id }),
          this.#sql.edit.bind({
            ...{ id, ...after, domain, kind, policy, now, key: before.source === undefined ? subjectKey(after) : "" },
            ...{ searchTitle: indexedText(title) ?? null, searchText: indexedText(after.content) ?? null },
          }),
          this.#sql.index.bind({ id }),
          this.#sql.supersedeOthers.bind({ id, now }),
          this.#sql.unmerge.bind({}),
          unrejecting(after.content),
        ],
        overwrite: true,
      });
      return isNewlyAlways;
    });
    await store.index.clean();
    bus.publish("knowledge.changed", { id, action: "changed" });
    const chunk = await this.#known(id);
    if (becomesAlwaysOn) this.#publishAlwaysOn(chunk, "edit");
    return chunk;
  }

  /**
   * How many memories were said in a conversation. `shared`: only those that others said too, which stay when it is
   * forgotten. @throws DatabaseError
   */
  async saidIn(session: string, { shared }: { readonly shared: boolean }): Promise<number> {
    if (!this.#options.exists()) return 0;
    const bound = this.#sql.saidIn.bind({ session, shared: shared ? 1 : 0 });
    const [row] = await this.#options.store.read((db) => db.read(bound, "long"));
    return Number(row?.[0]);
  }

  /** Those that were taken out of every answer and can be restored, newest first, below `before`. @throws DatabaseError */
  async removed(limit: number, before = Number.MAX_SAFE_INTEGER): Promise<readonly Chunk[]> {
    if (!this.#options.exists()) return [];
    const since = this.#options.clock.now() - RESTORABLE_MS;
    const rows = await this.#options.store.read((db) =>
      db.read(this.#sql.listRemoved.bind({ limit, before, since }), "long"),
    );
    return rows.map(chunkOf);
  }

  /** What a scope says, to look for it afterwards. @throws DatabaseError */
  async texts(scope: ForgetScope): Promise<readonly string[]> {
    if (!this.#options.exists()) return [];
    return this.#options.store.read(async (db) => {
      const { ids } = await chooseMemories(db, scope);
      const rows = await db.read(this.#sql.texts.bind({ ids: JSON.stringify(ids.slice(0, MOST_TEXTS)) }), "long");
      return rows.map(([content]) => String(content));
    });
  }

  /** Takes a memory out of every answer at once. It can be restored for a day; then it is forgotten for good. @throws KnowledgeError unknown_chunk */
  async hide(id: number): Promise<void> {
    const { store, bus, clock } = this.#options;
    await store.alone(async (db) => {
      await this.#own(id);
      await db.commit({ label: "knowledge.hide", statements: [this.#sql.hide.bind({ id, now: clock.now() })] });
    });
    bus.publish("knowledge.changed", { id, action: "removed" });
  }

  /**
   * Brings back what was taken out of every answer within the last day, by an operator or by the agent.
   * @throws KnowledgeError unknown_chunk, too_late, subject_taken, too_many_always_on
   */
  async restore(id: number): Promise<Chunk> {
    const { store, bus, clock, exists } = this.#options;
    if (!exists()) throw new KnowledgeError("unknown_chunk", `there is no memory ${id}`);
    await store.alone(async (db) => {
      const [row] = await db.read(this.#sql.removed.bind({ id }));
      if (row === undefined) {
        await this.#known(id);
        return;
      }
      const [at, policy, review, stands, other] = row;
      if (Number(at) <= clock.now() - RESTORABLE_MS)
        throw new KnowledgeError("too_late", `memory ${id} was removed more than a day ago`);
      const isShown = review === "accepted" && Number(stands) === 1;
      if (isShown && other != null)
        throw new KnowledgeError("subject_taken", `memory ${Number(other)} stands at the subject of ${id} now`);
      if (isShown && policy === "always") await this.#checkAlwaysOn(db);
      await db.commit({ label: "knowledge.restore", statements: [this.#sql.restore.bind({ id })] });
    });
    bus.publish("knowledge.changed", { id, action: "restored" });
    return this.#known(id);
  }

  /** Deletes a memory for good, with every copy of it. @throws KnowledgeError unknown_chunk */
  async remove(id: number): Promise<void> {
    await this.#options.store.alone(async (db) => {
      const { review, content } = await this.#own(id);
      if (review === "rejected") await db.commit({ label: "knowledge.rejected", statements: rejecting(content) });
    });
    await this.#options.forget({ kind: "chunks", ids: [id] });
  }

  /**
   * Accepts a memory that waits, which is the operator's from then on and replaces what stands at its subject; or rejects
   * it: the same words are not stored again. Deciding the same again changes nothing.
   * @throws KnowledgeError unknown_chunk, not_waiting, too_many_always_on
   */
  async review(id: number, decision: "accept" | "reject"): Promise<Chunk> {
    const review = decision === "accept" ? "accepted" : "rejected";
    const isNew = await this.#options.store.alone(async (db) => {
      const before = await this.#known(id);
      if (before.review === review) return false;
      if (before.review !== "pending")
        throw new KnowledgeError("not_waiting", `memory ${id} was ${before.review} before; edit or delete it`);
      if (review === "accepted" && before.policy === "always") await this.#checkAlwaysOn(db);
      const bound = { id, now: this.#options.clock.now() };
      const statements =
        review === "accepted"
          ? [this.#sql.supersedeOthers.bind(bound), this.#sql.accept.bind(bound), unrejecting(before.content)]
          : [this.#sql.reject.bind({ id }), ...rejecting(before.content)];
      await db.commit({ label: "knowledge.review", statements });
      return true;
    });
    const chunk = await this.#known(id);
    const { bus } = this.#options;
    if (isNew) bus.publish("knowledge.changed", { id, action: review });
    if (isNew && review === "accepted" && chunk.policy === "always") this.#publishAlwaysOn(chunk, "review");
    return chunk;
  }

  #publishAlwaysOn({ id, session, content }: Chunk, source_type: string): void {
    const preview = content.slice(0, 240).toWellFormed();
    this.#options.bus.publish("memory.hot_written", { chunk_id: id, source: session, source_type, preview });
  }

  async #known(id: number): Promise<Chunk> {
    const chunk = await this.#options.store.find(id);
    if (chunk === undefined) throw new KnowledgeError("unknown_chunk", `there is no memory ${id}`);
    return chunk;
  }

  /** One that is this agent's to change. */
  async #own(id: number): Promise<Chunk> {
    const chunk = await this.#known(id);
    if (chunk.namespace === COMMONS)
      throw new KnowledgeError(
        "of_commons",
        `memory ${id} is shared: take it out of the commons, or change the one it is of`,
      );
    return chunk;
  }

  async #checkAlwaysOn(db: Database): Promise<void> {
    const { always } = KNOWLEDGE_LIMITS;
    const [row] = await db.read(this.#sql.alwaysOn.bind({}));
    if (Number(row?.[0]) >= always)
      throw new KnowledgeError("too_many_always_on", `there are ${always} always-on memories: forget some first`);
  }
}

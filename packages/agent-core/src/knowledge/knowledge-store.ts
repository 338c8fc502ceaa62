/**
 * The knowledge store: what the agent remembers beyond a conversation.
 *
 * Invariants
 *  KM1  What was confirmed as remembered is on the disk and findable. A call's id remembers once (R3, R12).
 *  KM4  A superseded, expired, pending, rejected or removed chunk is found only where it is asked for by that name; a removed
 *       one nowhere.
 */
import type { EventBus } from "../bus/index.ts";
import type { Clock } from "../clock/index.ts";
import {
  commitIfExpected,
  type Database,
  IndexMerge,
  type LazyStore,
  type Statement,
  storableText,
} from "../database/index.ts";
import {
  type Chunk,
  type ChunkFilter,
  type DeliveryPolicy,
  KNOWLEDGE_LIMITS,
  type KnowledgeStats,
  type NewMemory,
  subjectKey,
} from "./chunk.ts";
import { chunkOf, chunkStatements, trustNumber, trustOf, wantedOf } from "./chunk-statements.ts";
import { cleanMemory } from "./clean-memory.ts";
import { decideWrite, type StandingChunk, saysTheSame, type WriteDecision } from "./decide-write.ts";
import { KnowledgeError } from "./knowledge-error.ts";
import { publishWritten } from "./publish-written.ts";
import { isRejected, unrejecting } from "./rejected-words.ts";
import { indexedText, matchQuery } from "./search-words.ts";

export interface KnowledgeStoreOptions {
  /** The store with the schema `knowledge`. */
  readonly store: LazyStore;
  readonly clock: Pick<Clock, "now">;
  /** Gets `knowledge.changed`, `memory.review_requested` and `memory.hot_written`. */
  readonly bus: EventBus;
  /** Takes secrets out of what is stored (S5). */
  readonly redact: (text: string) => string;
}

/** What became of a memory. */
export interface Remembered {
  readonly id: number;
  readonly domain: string;
  /** `confirmed`: chunk `id` said it already. `pending`: a person has to accept it first. `rejected`: one did not (K8). */
  readonly kind: "stored" | "confirmed" | "pending" | "rejected";
  /** The chunk that it replaces. */
  readonly replaces?: number;
  /** Why it waits. */
  readonly why?: string;
}

/** Days for which calls that were carried out are remembered; no task stays open without its store for longer. */
const REMEMBERED_MS = 90 * 86_400_000;
/** How long what was removed could be restored. */
const REMOVED_MS = 86_400_000;

const CHUNK_INDEX = { index: "chunk_text", columns: ["title", "text"], counts: "chunk_count" };

/** What is known about the subject of a memory. */
interface Standing {
  readonly accepted: StandingChunk | undefined;
  /** A chunk that waits, with the same words. */
  readonly waiting: { readonly id: number; readonly why: string } | undefined;
}

/** Chunks in a store of their own. */
export class KnowledgeStore {
  /** To be cleaned after what was deleted or changed. */
  readonly index: IndexMerge;
  readonly #options: KnowledgeStoreOptions;
  readonly #sql = chunkStatements();
  /** One write at a time: what a write decides on must not change before it is committed. One process owns the store. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(options: KnowledgeStoreOptions) {
    this.#options = options;
    this.index = new IndexMerge(() => options.store.get(), CHUNK_INDEX);
  }

  /** Closes its store, if it was opened. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#options.store.close();
  }

  /**
   * Stores a memory, or confirms the one that says it already. `call`: a repetition with the same one returns the same.
   * @throws KnowledgeError full, too_many_always_on @throws DatabaseError
   */
  remember(memory: NewMemory, call: string): Promise<Remembered> {
    return this.#oneAtATime(() => this.#remember(cleanMemory(memory, this.#options.redact), call));
  }

  /** The chunks that fit a search best. Blank, or `asQuery` makes no query of it: none. @throws DatabaseError */
  async search(text: string, filter: ChunkFilter, limit: number, asQuery = matchQuery): Promise<readonly Chunk[]> {
    const query = asQuery(text);
    if (query === undefined) return [];
    return this.#chunks(this.#sql.search.bind({ query, ...this.#wanted(filter), limit }));
  }

  /** Those of some chunks that fit a filter, in no order. @throws DatabaseError */
  among(ids: readonly number[], filter: ChunkFilter): Promise<readonly Chunk[]> {
    return this.#chunks(this.#sql.byIds.bind({ ids: JSON.stringify(ids), ...this.#wanted(filter) }));
  }

  /** Newest first, below the number `before`. @throws DatabaseError */
  list(filter: ChunkFilter, limit: number, before = Number.MAX_SAFE_INTEGER): Promise<readonly Chunk[]> {
    return this.#chunks(this.#sql.list.bind({ ...this.#wanted(filter), limit, before }));
  }

  readonly #wanted = (filter: ChunkFilter) => wantedOf(filter, this.#options.clock.now());

  async #chunks(statement: Statement): Promise<readonly Chunk[]> {
    const db = await this.#options.store.get();
    return (await db.read(statement, "long")).map(chunkOf);
  }

  /** Does something while nothing else is written. @throws DatabaseError */
  alone<T>(work: (db: Database) => Promise<T>): Promise<T> {
    return this.#oneAtATime(async () => work(await this.#options.store.get()));
  }

  /** Reads beside what is written. @throws DatabaseError */
  async read<T>(work: (db: Pick<Database, "read" | "description">) => Promise<T>): Promise<T> {
    return work(await this.#options.store.get());
  }

  /** Undefined: there is none. @throws DatabaseError */
  async find(id: number): Promise<Chunk | undefined> {
    return (await this.#chunks(this.#sql.byId.bind({ id })))[0];
  }

  /** @throws DatabaseError */
  async stats(): Promise<KnowledgeStats> {
    const db = await this.#options.store.get();
    const rows = await db.read(this.#sql.counts.bind({ now: this.#options.clock.now() }), "long");
    const accepted = rows.map(([domain, count]) => [String(domain), Number(count)] as const);
    return {
      domains: Object.fromEntries(accepted.filter(([, count]) => count > 0)),
      total: accepted.reduce((sum, [, count]) => sum + count, 0),
      pending: rows.reduce((sum, row) => sum + Number(row[2]), 0),
    };
  }

  /**
   * Removes a chunk: it is found no more, and deleted a day later.
   * @throws KnowledgeError unknown_chunk @throws DatabaseError
   */
  forget(id: number, reason: string, call: string): Promise<void> {
    return this.#oneAtATime(async () => {
      const db = await this.#options.store.get();
      if ((await db.read(this.#sql.carriedOut.bind({ call }))).length > 0) return;
      const at = this.#options.clock.now();
      const bound = { id, at, call, reason: storableText(this.#options.redact(reason)), outcome: "{}" };
      const done = await commitIfExpected(db, {
        label: "knowledge.forget",
        expect: this.#sql.forget.bind(bound),
        statements: [this.#sql.remember.bind(bound)],
      });
      if (!done) throw new KnowledgeError("unknown_chunk", `there is no memory ${id}`);
      this.#options.bus.publish("knowledge.changed", { id, action: "removed" });
    });
  }

  /** Deletes what was removed more than a day ago; its words are overwritten in the file. @throws DatabaseError */
  async sweep(): Promise<void> {
    await this.#oneAtATime(async () => {
      const db = await this.#options.store.get();
      const before = this.#options.clock.now() - REMOVED_MS;
      const left = async (): Promise<number> => Number((await db.read(this.#sql.purgeable.bind({ before })))[0]?.[0]);
      while ((await left()) > 0) {
        const statements = [this.#sql.purge.bind({ before })];
        await db.commit({ label: "knowledge.purge", statements, overwrite: true });
      }
    });
    await this.index.clean();
  }

  async #remember(memory: NewMemory, call: string): Promise<Remembered> {
    const db = await this.#options.store.get();
    const [done] = await db.read(this.#sql.carriedOut.bind({ call }));
    if (done !== undefined) return { ...(JSON.parse(String(done[1])) as Remembered), id: Number(done[0]) };
    const at = this.#options.clock.now();
    const { accepted, waiting } = await this.#standing(db, memory, at);
    const decision = decideWrite(memory, accepted);
    if (decision.kind === "confirm") return this.#confirm(db, { memory, decision, call, at });
    if (decision.kind === "hold" && waiting !== undefined)
      return { ...waiting, domain: memory.domain, kind: "pending" };
    if (memory.trust !== "operator" && (await this.#wasRejected(db, memory)))
      return { id: 0, domain: memory.domain, kind: "rejected" };
    await this.#checkRoom(db, memory.policy);
    return this.#insert(db, { memory, decision, call, at });
  }

  async #wasRejected(db: Database, { content }: NewMemory): Promise<boolean> {
    if (await isRejected(db, content)) return true;
    return (await db.read(this.#sql.rejected.bind({}))).some(([text]) => saysTheSame(String(text), content));
  }

  async #standing(db: Database, memory: NewMemory, now: number): Promise<Standing> {
    const { domain, kind, content, policy } = memory;
    const key = subjectKey(memory);
    const rows = key === "" ? [] : await db.read(this.#sql.standing.bind({ key, domain, kind, now }));
    const known = rows.map(([id, text, delivered, trust, review, why]) => ({
      ...{ id: Number(id), content: String(text), policy: String(delivered) as DeliveryPolicy, trust: trustOf(trust) },
      ...{ isAccepted: review === "accepted", why: String(why) },
    }));
    const waiting = known.find((one) => !one.isAccepted && one.policy === policy && saysTheSame(one.content, content));
    return {
      accepted: known.find(({ isAccepted }) => isAccepted),
      waiting: waiting && { id: waiting.id, why: waiting.why },
    };
  }

  async #confirm(
    db: Database,
    { memory, decision, call, at }: Writing<Extract<WriteDecision, { kind: "confirm" }>>,
  ): Promise<Remembered> {
    const { id, renews } = decision;
    const result: Remembered = { id, domain: memory.domain, kind: "confirmed" };
    const bound = { id, at, call, renews: renews ? 1 : 0, expires: memory.expiresAt ?? null };
    await db.commit({
      label: "knowledge.confirm",
      expect: this.#sql.confirm.bind(bound),
      statements: [
        ...[this.#sql.remember.bind({ id, at, call, outcome: JSON.stringify(result) }), this.#forgetCalls(at)],
        this.#sql.evidence.bind({ id, session: memory.session }),
      ],
    });
    this.#options.bus.publish("knowledge.changed", { id, action: "confirmed" });
    return result;
  }

  async #insert(
    db: Database,
    { memory, decision, call, at }: Writing<Exclude<WriteDecision, { kind: "confirm" }>>,
  ): Promise<Remembered> {
    const { domain, kind, subject, heading, content, policy, session, task } = memory;
    const why = decision.kind === "hold" ? decision.why : "";
    const replaces = decision.kind === "store" ? decision.replaces : undefined;
    const outcome: Omit<Remembered, "id"> = {
      ...{ domain, kind: why === "" ? "stored" : "pending" },
      ...(replaces !== undefined && { replaces }),
      ...(why !== "" && { why }),
    };
    const title = `${subject} ${heading}`;
    await db.commit({
      label: "knowledge.remember",
      expect: this.#sql.insert.bind({
        ...{ domain, kind, subject, heading, key: subjectKey(memory), content, policy, session, task, at, call, why },
        ...{ searchTitle: indexedText(title) ?? null, searchText: indexedText(content) ?? null },
        ...{ trust: trustNumber(memory.trust), review: why === "" ? "accepted" : "pending" },
        expires: memory.expiresAt ?? null,
      }),
      statements: [
        ...(replaces === undefined ? [] : [this.#sql.supersede.bind({ id: replaces, at })]),
        ...(memory.trust === "operator" ? [unrejecting(content)] : []),
        this.#sql.rememberNewest.bind({ call, at, outcome: JSON.stringify(outcome) }),
        this.#forgetCalls(at),
      ],
    });
    const [row] = await db.read(this.#sql.carriedOut.bind({ call }));
    const id = Number(row?.[0]);
    publishWritten(this.#options.bus, { id, memory, isAccepted: why === "" });
    return { ...outcome, id };
  }

  /** @throws KnowledgeError */
  async #checkRoom(db: Database, policy: DeliveryPolicy): Promise<void> {
    const [row] = await db.read(this.#sql.room.bind({}));
    const { chunks, always } = KNOWLEDGE_LIMITS;
    if (Number(row?.[0]) >= chunks)
      throw new KnowledgeError("full", `the memory holds ${chunks} chunks: forget some first`);
    if (policy === "always" && Number(row?.[1]) >= always)
      throw new KnowledgeError("too_many_always_on", `there are ${always} always-on memories: forget some first`);
  }

  #forgetCalls(at: number): Statement {
    return this.#sql.forgetCalls.bind({ before: at - REMEMBERED_MS });
  }

  #oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#writing.then(work);
    this.#writing = done.catch(() => {});
    return done;
  }
}

interface Writing<Decision> {
  readonly memory: NewMemory;
  readonly decision: Decision;
  readonly call: string;
  readonly at: number;
}

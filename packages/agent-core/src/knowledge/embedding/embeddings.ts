/**
 * Search by meaning (K25).
 *
 * Invariants
 *  KM2  Nothing waits for an endpoint but what asks it: vectors are made behind the writes.
 *  KM7  Vectors of different models are never compared: those of another model than the current one are not read.
 *  KM8  The main thread neither reads answers of the endpoint nor compares vectors.
 */
import type { Clock } from "../../clock/index.ts";
import { type Database, isStoreGone, type LazyStore, type Row, type Value } from "../../database/index.ts";
import { Breaker } from "./breaker.ts";
import { bytesOf, type EmbeddingServer, type EmbedModel, EmbedModels } from "./embed-models.ts";
import { EmbeddingError } from "./embed-texts.ts";
import { embeddingStatements } from "./embedding-statements.ts";
import { LoadedSigns } from "./loaded-signs.ts";
import { leaveOut, storeVectors } from "./store-vectors.ts";
import type { VectorCode } from "./vector-code.ts";
import type { VectorState } from "./vector-state.ts";
import { VectorThread } from "./vector-thread.ts";

/** Texts of a request. */
const BATCH = 64;
/** Vectors that are compared as they are, of those whose signs fit best. */
const COMPARED = 200;
/** Searches for others in the places of those that are found no more. */
const MOST_ROUNDS = 5;

/** `degraded`: the endpoint fails, and is left alone for a while; searches go by words. */
export type EmbeddingState = "off" | "ready" | "degraded";

export interface EmbeddingsOptions {
  /** The store with the schema `knowledge`. */
  readonly store: Pick<LazyStore, "get">;
  /** Whether the store has been made: one that has not is not opened. */
  readonly exists: () => boolean;
  readonly clock: Clock;
  /** Undefined: switched off. Read at each use. */
  readonly server: () => EmbeddingServer | undefined;
  readonly log: { warn(message: string): void };
}

/** A chunk, and the cosine of what it says and what is searched for. */
export interface FoundByMeaning {
  readonly id: number;
  readonly cosine: number;
}

/** What was found, the best first. */
export interface MeaningSearch {
  readonly found: readonly FoundByMeaning[];
  /** The cosine above which two texts are related, to this model. */
  readonly floor: number;
}

/** A chunk without a vector of the model. */
interface Waiting {
  readonly id: number;
  readonly revision: number;
  readonly text: string;
}

/** Makes vectors of chunks, and finds chunks by them. */
export class Embeddings {
  readonly #options: EmbeddingsOptions;
  readonly #sql = embeddingStatements();
  readonly #thread: VectorThread;
  readonly #models: EmbedModels;
  readonly #signs: LoadedSigns;
  readonly #breaker = new Breaker();
  #running: Promise<void> | undefined;
  /** Batches that are being stored and brought into the thread. */
  #placing = 0;
  /** There may be chunks without a vector. */
  #isDue = true;
  /** The model of which that was looked at. */
  #servedBy: string | undefined;
  #isClosed = false;

  constructor(options: EmbeddingsOptions) {
    this.#options = options;
    this.#thread = new VectorThread(options.clock);
    this.#models = new EmbedModels(options.clock, this.#thread);
    this.#signs = new LoadedSigns(this.#thread);
  }

  get state(): EmbeddingState {
    const server = this.#options.server();
    if (server === undefined) return "off";
    return this.#breaker.isOpen(identityOf(server), this.#options.clock.now()) ? "degraded" : "ready";
  }

  /** A chunk was written or removed. */
  noteChange({ id = 0, action }: { readonly id?: number; readonly action: string }): void {
    // A removed one that the thread keeps, or loads later, is left out by whoever reads the chunks.
    if (action === "removed" && this.#thread.generation !== undefined)
      this.#thread.ask("delete", { id }).catch(() => {});
    else if (["accepted", "changed", "restored"].includes(action)) void this.#bringBack(id).catch(() => {});
    this.#isDue = true;
    this.tick();
  }

  /** Goes on with the chunks that wait, where there are any. */
  tick(): void {
    const server = this.#options.server();
    const isDue = this.#isDue || server?.name !== this.#servedBy;
    const mayRun = isDue && this.#running === undefined && !this.#isClosed;
    if (!mayRun || this.state !== "ready" || !this.#options.exists()) return;
    this.#isDue = false;
    this.#servedBy = server?.name;
    this.#running = this.#embedAll().then(
      () => {
        this.#running = undefined;
        // What was written meanwhile.
        this.tick();
      },
      (error: unknown) => {
        this.#running = undefined;
        this.#isDue = true;
        if (!isStoreGone(error)) this.#options.log.warn(`embeddings: ${String(error)}`);
      },
    );
  }

  /** @throws DatabaseError */
  async vectors(): Promise<VectorState> {
    const server = this.#options.server();
    if (server === undefined || !this.#options.exists()) return { waiting: 0, dimensions: undefined };
    const model = await this.#models.known(await this.#options.store.get(), server);
    return { waiting: await this.waiting(), dimensions: model?.mean.length };
  }

  /** How many chunks have no vector of the current model. @throws DatabaseError */
  async waiting(): Promise<number> {
    const server = this.#options.server();
    if (server === undefined || !this.#options.exists()) return 0;
    const db = await this.#options.store.get();
    // Without a model there is no vector of it: none has a number that high.
    const id = (await this.#models.known(db, server))?.id ?? Number.MAX_SAFE_INTEGER;
    const [row] = await db.read(this.#sql.waitingCount.bind({ model: id, now: this.#options.clock.now() }), "long");
    return Number(row?.[0]);
  }

  /** Some chunks have no vector of the current model yet. @throws DatabaseError */
  async isIndexing(): Promise<boolean> {
    const server = this.#options.server();
    if (server === undefined || !this.#options.exists()) return false;
    const db = await this.#options.store.get();
    const id = (await this.#models.known(db, server))?.id ?? Number.MAX_SAFE_INTEGER;
    const waiting = await db.read(this.#sql.waiting.bind({ model: id, now: this.#options.clock.now(), limit: 1 }));
    // What is stored comes into the thread behind that.
    return waiting.length > 0 || this.#placing > 0;
  }

  /** Undefined: it cannot be searched by meaning now. Rejects only where the store fails. */
  async search(text: string, limit: number): Promise<MeaningSearch | undefined> {
    const server = this.#options.server();
    if (server === undefined || this.state !== "ready" || text.trim() === "") return undefined;
    const db = await this.#options.store.get();
    const model = await this.#models.known(db, server);
    if (model === undefined) return undefined;
    return this.#asking(server, async () => {
      await this.#signs.load(db, model);
      const asked = { endpoint: server, text, mean: model.mean, limit: COMPARED };
      const { unit, ids } = await this.#thread.ask("find", asked);
      const rows = await this.#fullOf(db, model, unit, ids);
      const full = rows.map((row) => bytesOf(row[1]));
      const cosines = await this.#thread.ask("compare", { unit, full });
      const found = rows.map(([id], at) => ({ id: Number(id), cosine: cosines[at] ?? 0 }));
      return { found: found.sort((a, b) => b.cosine - a.cosine || b.id - a.id).slice(0, limit), floor: model.floor };
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.close();
    await this.#running;
  }

  /**
   * The vectors of chunks that a search may find. Those that were corrected or put away since leave the thread, and others
   * take their places.
   */
  async #fullOf(db: Database, model: EmbedModel, unit: Float32Array, ids: readonly number[]): Promise<readonly Row[]> {
    let nearest = ids;
    for (let round = 1; ; round++) {
      const bound = { model: model.id, now: this.#options.clock.now(), ids: JSON.stringify(nearest) };
      const rows = await db.read(this.#sql.full.bind(bound));
      const found = new Set(rows.map(([id]) => Number(id)));
      const gone = nearest.filter((id) => !found.has(id));
      await Promise.all(gone.map((id) => this.#thread.ask("delete", { id })));
      if (gone.length === 0 || round === MOST_ROUNDS) return rows.filter(([, full]) => full !== null);
      nearest = await this.#thread.ask("nearest", { unit, mean: model.mean, limit: COMPARED });
    }
  }

  /** One that is found again, with its vector of before, goes back into the thread. */
  async #bringBack(id: number): Promise<void> {
    const server = this.#options.server();
    if (server === undefined || !this.#options.exists()) return;
    const db = await this.#options.store.get();
    const model = await this.#models.known(db, server);
    const loaded = model === undefined ? undefined : this.#signs.of(model);
    if (model === undefined || loaded === undefined) return;
    await loaded;
    const [row] = await db.read(this.#sql.signsOf.bind({ model: model.id, id }));
    if (row !== undefined) await this.#thread.ask("set", { id, signs: bytesOf(row[0]) });
  }

  /** Undefined: the endpoint failed, and that is noted. */
  async #asking<T>(server: EmbeddingServer, ask: () => Promise<T>): Promise<T | undefined> {
    const identity = identityOf(server);
    try {
      const answer = await ask();
      this.#breaker.worked(identity);
      return answer;
    } catch (error) {
      if (!(error instanceof EmbeddingError)) throw error;
      if (this.#isClosed) return undefined;
      if (error.code === "resized") {
        this.#models.outgrow();
        this.#isDue = true;
      }
      this.#breaker.failed(identity, this.#options.clock.now());
      this.#options.log.warn(`embeddings of ${server.name}: the endpoint ${error.message}`);
      return undefined;
    }
  }

  async #embedAll(): Promise<void> {
    const db = await this.#options.store.get();
    let most = BATCH;
    for (;;) {
      const server = this.#options.server();
      if (this.#isClosed || server === undefined || this.state !== "ready") break;
      const model =
        (await this.#models.known(db, server)) ?? (await this.#asking(server, () => this.#models.add(db, server)));
      if (model === undefined) continue;
      const wanted = { model: model.id, now: this.#options.clock.now(), limit: most };
      const batch = (await db.read(this.#sql.waiting.bind(wanted))).map(waitingOf);
      if (batch.length === 0) return;
      const outcome = await this.#asking(server, () => this.#embed(db, server, model, batch));
      // Texts that are refused together may be refused because of one of them.
      if (outcome === "refused" && batch.length === 1) await leaveOut(db, model, batch);
      most = outcome === "refused" ? Math.max(1, Math.floor(batch.length / 2)) : BATCH;
    }
    this.#isDue = true;
  }

  async #embed(
    db: Database,
    server: EmbeddingServer,
    model: EmbedModel,
    batch: readonly Waiting[],
  ): Promise<"embedded" | "refused"> {
    try {
      const texts = batch.map(({ text }) => text);
      const codes = await this.#thread.ask("embed", { endpoint: server, texts, mean: model.mean });
      await this.#place(db, model, batch, codes);
      return "embedded";
    } catch (error) {
      if (error instanceof EmbeddingError && error.code === "refused") return "refused";
      throw error;
    }
  }

  /** Stores vectors, and brings them into the thread where those of the model are. */
  async #place(
    db: Database,
    model: EmbedModel,
    batch: readonly Waiting[],
    codes: readonly VectorCode[],
  ): Promise<void> {
    this.#placing++;
    try {
      await storeVectors(db, model, batch, codes);
      const loaded = this.#signs.of(model);
      if (loaded !== undefined) {
        await loaded;
        for (const [at, { id }] of batch.entries()) {
          const signs = codes[at]?.signs;
          if (signs !== undefined) await this.#thread.ask("set", { id, signs });
        }
      }
    } finally {
      this.#placing--;
    }
  }
}

/** What a failure belongs to: with another address, key or model the endpoint is tried at once. */
function identityOf({ baseUrl, apiKey, model }: EmbeddingServer): string {
  return `${baseUrl}\n${apiKey}\n${model}`;
}

function waitingOf([id, revision, subject, heading, content]: readonly Value[]): Waiting {
  const title = [subject, heading].map(String).filter((part) => part !== "");
  return { id: Number(id), revision: Number(revision), text: [...title, String(content)].join("\n") };
}

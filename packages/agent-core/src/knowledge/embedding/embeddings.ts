/**
 * Search by meaning (K25).
 *
 * Invariants
 *  KM2  Nothing waits for an endpoint but what asks it: vectors are made behind the writes.
 *  KM7  Vectors of different models are never compared: those of another model than the current one are not read.
 *  KM8  The main thread neither reads answers of the endpoint nor compares vectors.
 */
import type { Clock } from "../../clock/index.ts";
import { type Database, isStoreGone, type LazyStore, type Value } from "../../database/index.ts";
import { Breaker } from "./breaker.ts";
import { type EmbeddingEndpoint, EmbeddingError } from "./embed-texts.ts";
import { embeddingStatements } from "./embedding-statements.ts";
import { VectorThread } from "./vector-thread.ts";

/** Texts of a request. */
const BATCH = 64;
/** Vectors of a commit, so that no commit holds up others. */
const BITE = 16;
/** Vectors that are compared as they are, of those whose signs fit best. */
const COMPARED = 200;
/** Rows of a page that is loaded into the thread. */
const PAGE = 2_000;

/** Where texts become vectors, and under which name its vectors are kept: connection and model. */
export interface EmbeddingServer extends EmbeddingEndpoint {
  readonly name: string;
}

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

interface EmbedModel {
  readonly id: number;
  readonly name: string;
  readonly mean: Float32Array;
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
  readonly #breaker = new Breaker();
  #model: EmbedModel | undefined;
  /** Which model's signs the thread has, once they are loaded. */
  #loaded:
    | { readonly model: number; readonly generation: number | undefined; readonly done: Promise<void> }
    | undefined;
  /** A model whose vectors have another size by now. */
  #outgrown = 0;
  #running: Promise<void> | undefined;
  /** There may be chunks without a vector. */
  #isDue = true;
  /** The model of which that was looked at. */
  #servedBy: string | undefined;
  #isClosed = false;

  constructor(options: EmbeddingsOptions) {
    this.#options = options;
    this.#thread = new VectorThread(options.clock);
  }

  get state(): EmbeddingState {
    const server = this.#options.server();
    if (server === undefined) return "off";
    return this.#breaker.isOpen(identityOf(server), this.#options.clock.now()) ? "degraded" : "ready";
  }

  /** A chunk was written or removed. */
  noteChange({ id, action }: { readonly id: number; readonly action: string }): void {
    // A removed one that the thread keeps, or loads later, is left out by whoever reads the chunks.
    if (action === "removed" && this.#thread.generation !== undefined)
      this.#thread.ask("delete", { id }).catch(() => {});
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

  /** How many chunks have no vector of the current model. @throws DatabaseError */
  async waiting(): Promise<number> {
    const server = this.#options.server();
    if (server === undefined || !this.#options.exists()) return 0;
    const db = await this.#options.store.get();
    // Without a model there is no vector of it: none has a number that high.
    const id = (await this.#knownModel(db, server))?.id ?? Number.MAX_SAFE_INTEGER;
    const [row] = await db.read(this.#sql.waitingCount.bind({ model: id }), "long");
    return Number(row?.[0]);
  }

  /** Some chunks have no vector of the current model yet. @throws DatabaseError */
  async isIndexing(): Promise<boolean> {
    const server = this.#options.server();
    if (server === undefined || !this.#options.exists()) return false;
    const db = await this.#options.store.get();
    const id = (await this.#knownModel(db, server))?.id ?? Number.MAX_SAFE_INTEGER;
    return (await db.read(this.#sql.waiting.bind({ model: id, limit: 1 }))).length > 0;
  }

  /** Undefined: it cannot be searched by meaning now. Rejects only where the store fails. */
  async search(text: string, limit: number): Promise<MeaningSearch | undefined> {
    const server = this.#options.server();
    if (server === undefined || this.state !== "ready" || text.trim() === "") return undefined;
    const db = await this.#options.store.get();
    const model = await this.#knownModel(db, server);
    if (model === undefined) return undefined;
    return this.#asking(server, async () => {
      await this.#load(db, model);
      const asked = { endpoint: server, text, mean: model.mean, limit: COMPARED };
      const { unit, ids } = await this.#thread.ask("find", asked);
      const rows = await db.read(this.#sql.full.bind({ model: model.id, ids: JSON.stringify(ids) }));
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
      if (error.code === "resized") this.#outgrow();
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
        (await this.#knownModel(db, server)) ?? (await this.#asking(server, () => this.#addModel(db, server)));
      if (model === undefined) continue;
      const batch = (await db.read(this.#sql.waiting.bind({ model: model.id, limit: most }))).map(waitingOf);
      if (batch.length === 0) return;
      const outcome = await this.#asking(server, () => this.#embed(db, server, model, batch));
      // Texts that are refused together may be refused because of one of them.
      if (outcome === "refused" && batch.length === 1) await this.#leaveOut(db, model, batch);
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
      for (let from = 0; from < batch.length; from += BITE) {
        const statements = batch.slice(from, from + BITE).flatMap(({ id, revision }, at) => {
          const { signs, full } = codes[from + at] ?? {};
          const bound = { id, revision, model: model.id };
          return signs === undefined || full === undefined
            ? []
            : [this.#sql.store.bind({ ...bound, signs, full }), this.#sql.shown.bind(bound)];
        });
        await db.commit({ label: "knowledge.vectors", statements });
      }
      const loaded = this.#loadedOf(model);
      if (loaded !== undefined) {
        await loaded;
        for (const [at, { id }] of batch.entries()) {
          const signs = codes[at]?.signs;
          if (signs !== undefined) await this.#thread.ask("set", { id, signs });
        }
      }
      return "embedded";
    } catch (error) {
      if (error instanceof EmbeddingError && error.code === "refused") return "refused";
      throw error;
    }
  }

  /** A text that the endpoint does not take is found by its words only. */
  #leaveOut(db: Database, model: EmbedModel, batch: readonly Waiting[]): Promise<void> {
    const statements = batch.map(({ id, revision }) => this.#sql.shown.bind({ id, revision, model: model.id }));
    return db.commit({ label: "knowledge.vectors", statements });
  }

  async #knownModel(db: Database, { name }: EmbeddingServer): Promise<EmbedModel | undefined> {
    if (this.#model?.name === name) return this.#model;
    const [row] = await db.read(this.#sql.newestModel.bind({ name }));
    if (row === undefined) return undefined;
    const [[newest] = []] = await db.read(this.#sql.newestId.bind({}));
    // One that was current before another one: what was embedded since has no vector of it.
    if (Number(row[0]) !== Number(newest) || Number(newest) === this.#outgrown) return undefined;
    const [id, , mean, floor] = row;
    this.#model = { id: Number(id), name, mean: floatsOf(bytesOf(mean)), floor: Number(floor) };
    return this.#model;
  }

  async #addModel(db: Database, server: EmbeddingServer): Promise<EmbedModel | undefined> {
    const { mean, floor } = await this.#thread.ask("calibrate", { endpoint: server });
    const bound = { name: server.name, dims: mean.length, mean: new Uint8Array(mean.buffer), floor };
    const at = this.#options.clock.now();
    await db.commit({ label: "knowledge.embed-model", statements: [this.#sql.addModel.bind({ ...bound, at })] });
    return this.#knownModel(db, server);
  }

  /** Brings the signs of a model into the thread, unless they are there. */
  #load(db: Database, model: EmbedModel): Promise<void> {
    const known = this.#loadedOf(model);
    if (known !== undefined) return known;
    const done = this.#loadAll(db, model);
    const loaded = { model: model.id, generation: this.#thread.generation, done };
    this.#loaded = loaded;
    done.catch(() => {
      if (this.#loaded === loaded) this.#loaded = undefined;
    });
    return done;
  }

  /** Undefined: the thread that runs has them not. */
  #loadedOf({ id }: EmbedModel): Promise<void> | undefined {
    const { model, generation, done } = this.#loaded ?? {};
    return model === id && generation !== undefined && generation === this.#thread.generation ? done : undefined;
  }

  /** A model of the same name with vectors of another size is another model. */
  #outgrow(): void {
    this.#outgrown = this.#model?.id ?? 0;
    this.#model = undefined;
    this.#isDue = true;
  }

  async #loadAll(db: Database, { id, mean }: EmbedModel): Promise<void> {
    await this.#thread.ask("open", { dims: mean.length });
    for (let after = 0; ; ) {
      const page = await db.read(this.#sql.signs.bind({ model: id, after, limit: PAGE }), "long");
      const rows = page.map((row) => [Number(row[0]), bytesOf(row[1])] as const);
      if (rows.length > 0) await this.#thread.ask("load", { rows });
      if (rows.length < PAGE) return;
      after = rows.at(-1)?.[0] ?? after;
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

function bytesOf(value: Value | undefined): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}

function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer);
}

/** Searches for memories, by words and by meaning (K21, K25). */
import type { Clock } from "../clock/index.ts";
import { type Chunk, type ChunkFilter, COMMONS } from "./chunk.ts";
import type { Embeddings } from "./embedding/index.ts";
import type { KnowledgeStore } from "./knowledge-store.ts";
import { fused, placeScore, rankHits, saidBy } from "./rank-hits.ts";
import { namesQuery } from "./search-words.ts";

/** Chunks of each kind of search that are put together. */
const MOST = 200;

export const SEARCH_MODES = ["auto", "keyword", "vector"] as const;
/** How it is to be searched; `auto`: by words, and by meaning where that is switched on. */
export type SearchMode = (typeof SEARCH_MODES)[number];

/** What was found, the best first, and how. */
export interface SearchResult {
  readonly chunks: readonly Chunk[];
  /** By which they were ordered, of each. */
  readonly scores: readonly number[];
  readonly mode: "keyword" | "vector" | "hybrid";
  /** By meaning it could not be searched, which is switched on, or was asked for. */
  readonly isDegraded: boolean;
  /** Some memories are not found by meaning yet. */
  readonly isIndexing: boolean;
}

export interface KnowledgeSearchOptions {
  readonly store: Pick<KnowledgeStore, "search" | "among">;
  readonly embeddings: Pick<Embeddings, "state" | "search" | "isIndexing">;
  readonly clock: Clock;
  /** How long a search waits for the endpoint, in milliseconds; read at each. */
  readonly timeoutMs: () => number;
}

export class KnowledgeSearch {
  readonly #options: KnowledgeSearchOptions;

  constructor(options: KnowledgeSearchOptions) {
    this.#options = options;
  }

  /** @throws DatabaseError */
  async search(text: string, filter: ChunkFilter, limit: number, mode: SearchMode = "auto"): Promise<SearchResult> {
    const { store, embeddings } = this.#options;
    const isAsked = mode === "vector" || (mode === "auto" && embeddings.state !== "off");
    const [byWords, named, similar, isIndexing] = await Promise.all([
      mode === "vector" ? [] : ownFirst(store.search(text, filter, isAsked ? MOST : limit)),
      isAsked && mode !== "vector" ? store.search(text, filter, MOST, namesQuery) : [],
      isAsked ? this.#similar(text, filter) : undefined,
      isAsked ? embeddings.isIndexing() : false,
    ]);
    const isDegraded = isAsked && similar === undefined;
    if (similar === undefined)
      return {
        ...{ chunks: byWords.slice(0, limit), scores: byWords.slice(0, limit).map((_, at) => placeScore(at + 1)) },
        ...{ mode: mode === "vector" ? mode : "keyword", isDegraded, isIndexing },
      };
    // What has the identifier or the day that is asked for counts more than what is only alike.
    const names = new Set(named.map(({ id }) => id));
    const candidates = byWords.map((chunk, at) => {
      const covered = names.has(chunk.id) ? 1 : 0;
      return { chunk, rank: at + 1, vectorRank: undefined, terms: [], covered };
    });
    const hits = rankHits(fused(candidates, similar)).slice(0, limit);
    return {
      ...{ chunks: hits.map(({ chunk }) => chunk), scores: hits.map(({ score }) => score) },
      ...{ mode: mode === "vector" ? "vector" : "hybrid", isDegraded, isIndexing },
    };
  }

  /** Those that are related to what is searched for. */
  async #similar(text: string, filter: ChunkFilter): Promise<readonly { chunk: Chunk; isRelated: true }[] | undefined> {
    const { store, embeddings, clock, timeoutMs } = this.#options;
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = clock.setTimeout(() => resolve(undefined), timeoutMs(), { background: true });
    // What comes later changes nothing any more; that an endpoint fails is noted all the same.
    const result = await Promise.race([embeddings.search(text, MOST), late]).finally(() => timer.cancel());
    if (result === undefined) return undefined;
    const related = result.found.filter(({ cosine }) => cosine >= result.floor);
    const chunks = new Map(
      (
        await store.among(
          related.map(({ id }) => id),
          filter,
        )
      ).map((one) => [one.id, one]),
    );
    return related.flatMap(({ id }) => {
      const chunk = chunks.get(id);
      return chunk === undefined ? [] : [{ chunk, isRelated: true as const }];
    });
  }
}

/** Without what is shared and this agent says itself in the same words. */
async function ownFirst(searching: Promise<readonly Chunk[]>): Promise<readonly Chunk[]> {
  const chunks = await searching;
  if (!chunks.some(({ namespace }) => namespace === COMMONS)) return chunks;
  const own = new Set(chunks.filter(({ namespace }) => namespace !== COMMONS).map(saidBy));
  return chunks.filter((one) => one.namespace !== COMMONS || !own.has(saidBy(one)));
}

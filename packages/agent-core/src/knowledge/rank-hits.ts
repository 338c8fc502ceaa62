/** Which of the chunks that were found are shown, and in what order. Pure functions. */
import { type Chunk, folded, type Trust } from "./chunk.ts";
import type { SearchWord } from "./search-words.ts";

/** A word of the message, as a query of the index. */
export interface SearchTerm {
  readonly term: string;
  /** Chunks that have it. */
  readonly chunks: number;
}

/** A chunk that was found. */
export interface Candidate {
  readonly chunk: Chunk;
  /** Among those found by words, 1 for the best; undefined: it is none of them. */
  readonly rank: number | undefined;
  /** The same among those found by meaning. */
  readonly vectorRank: number | undefined;
  /** Words of the message that it has. */
  readonly terms: readonly SearchTerm[];
  /** The share of the message that it has, see `coverage`. */
  readonly covered: number;
}

/** A chunk that was found by meaning, the best first. */
export interface Similar {
  readonly chunk: Chunk;
  /** What it says is related to what was asked, and not only nearer than the rest. */
  readonly isRelated: boolean;
}

/** A candidate with its place among all. */
export interface Hit extends Candidate {
  readonly score: number;
}

/** Words that are searched for. */
const MOST_TERMS = 8;
/** Chunks that all of them but the rarest have together, at most. */
const MOST_LOOKED_UP = 3_000;
/** Damps the difference between the first places. */
const RANK_DAMPING = 60;
const WEIGHTS: { readonly [T in Trust]: number } = { operator: 1.2, agent: 1, outside: 0.8 };

/** A word that so many chunks have, or so small a share of them, says enough by itself. */
const RARE_CHUNKS = 3;
const RARE_SHARE = 0.01;
/** Words by which it is judged how much of the message a chunk has. */
const MOST_JUDGED = 16;

/** The rarest words that occur at all, by which chunks are judged. */
export function judgedTerms(terms: readonly SearchTerm[]): readonly SearchTerm[] {
  return terms
    .filter(({ chunks }) => chunks > 0)
    .toSorted((a, b) => a.chunks - b.chunks)
    .slice(0, MOST_JUDGED);
}

/**
 * The rarest words that occur at all, as many as are looked up quickly; `common` words only where there are no others.
 */
export function rarestTerms(terms: readonly SearchTerm[], common: number): readonly SearchTerm[] {
  const rarest = terms.filter(({ chunks }) => chunks > 0).toSorted((a, b) => a.chunks - b.chunks);
  const telling = rarest.filter(({ chunks }) => chunks < common);
  const chosen: SearchTerm[] = [];
  let left = MOST_LOOKED_UP;
  for (const one of (telling.length === 0 ? rarest : telling).slice(0, MOST_TERMS)) {
    if (chosen.length > 0 && one.chunks > left) break;
    left -= chosen.length > 0 ? one.chunks : 0;
    chosen.push(one);
  }
  return chosen;
}

/** What a message asks with. */
export interface AskedWords {
  /** Its words by its sentences, as queries of the index. */
  readonly sentences: readonly (readonly SearchWord[])[];
  /** How many chunks have a word. */
  readonly chunksOf: ReadonlyMap<string, number>;
  /** Chunks in the store. */
  readonly all: number;
}

/** Share of what a sentence says, its rare words counting most, that a chunk has to have. */
const LEAST_COVERED = 0.44;

/** Words that a smaller share of the chunks has say no more than those of this share. */
const RAREST_SHARE = 0.001;
/** In a store of fewer chunks a word that none has would say too much. */
const LEAST_STORE = 100;
/** A name says more than another word. */
const NAME_WEIGHT = 2.5;

/** Several pieces of which one has a letter: a number with a point names nothing. */
const IDENTIFIER = /^"(?=[^"]*\p{L})[^"]* [^"]*"$/u;

/**
 * The largest share of a sentence's words that a chunk has, by what they say: of a message that says more than it asks, one
 * sentence is enough. 0: of none it has two words, the only one, or a rare one.
 */
export function coverage(terms: readonly SearchTerm[], { sentences, chunksOf, all }: AskedWords): number {
  const rare = Math.max(RARE_CHUNKS, all * RARE_SHARE);
  const size = Math.max(all, LEAST_STORE);
  const weight = ({ term, isName }: SearchWord): number =>
    (isName ? NAME_WEIGHT : 1) * Math.log(1 + size / ((chunksOf.get(term) ?? 0) + Math.max(0.5, size * RAREST_SHARE)));
  const has = new Map(terms.map(({ term, chunks }) => [term, chunks]));
  const shares = sentences.map((sentence) => {
    const own = sentence.filter(({ term }) => has.has(term));
    const fewest = sentences.length === 1 ? Math.min(2, sentence.length) : 2;
    if (own.length < fewest && !own.some(({ term }) => (has.get(term) ?? 0) <= rare)) return 0;
    const weights = sentence.map(weight).toSorted((a, b) => b - a);
    const total = weights.slice(0, MOST_TERMS).reduce((sum, one) => sum + one, 0);
    return own.reduce((sum, word) => sum + weight(word), 0) / total;
  });
  return Math.min(1, Math.max(0, ...shares));
}

/** Whether a message names something, by an identifier, that no chunk names: nothing that is only alike is about it. */
export function namesUnknown({ sentences, chunksOf }: Omit<AskedWords, "all">): boolean {
  const identifiers = sentences.flat().filter(({ term }) => IDENTIFIER.test(term));
  return identifiers.length > 0 && identifiers.every(({ term }) => (chunksOf.get(term) ?? 0) === 0);
}

/** Whether a chunk has enough of a message to be shown with it. */
export function passesFloor(covered: number): boolean {
  return covered >= LEAST_COVERED;
}

/** By their places, what is trusted more first. */
export function rankHits(candidates: readonly Candidate[]): Hit[] {
  const scored = candidates.map((one) => ({
    ...one,
    score: WEIGHTS[one.chunk.trust] * (placeScore(one.rank) * (1 + one.covered) + placeScore(one.vectorRank)),
  }));
  return scored.toSorted((a, b) => b.score - a.score || placeOf(a) - placeOf(b));
}

/** What a place among what was found counts. */
export function placeScore(rank: number | undefined): number {
  return rank === undefined ? 0 : 1 / (RANK_DAMPING + rank);
}

function placeOf({ rank, vectorRank }: Candidate): number {
  return rank ?? vectorRank ?? Number.POSITIVE_INFINITY;
}

/** What was found by words, with its places by meaning, and behind it what was found by meaning alone. */
export function fused(byWords: readonly Candidate[], similar: readonly Similar[]): Candidate[] {
  const places = new Map(similar.map(({ chunk }, at) => [chunk.id, at + 1]));
  const known = new Set(byWords.map(({ chunk }) => chunk.id));
  const alone = similar.filter(({ chunk }) => !known.has(chunk.id));
  return [
    ...byWords.map((one) => ({ ...one, vectorRank: places.get(one.chunk.id) })),
    ...alone.map(({ chunk }) => ({ chunk, rank: undefined, vectorRank: places.get(chunk.id), terms: [], covered: 0 })),
  ];
}

/** By what two chunks say the same. */
export function saidBy({ content }: Chunk): string {
  return folded(content);
}

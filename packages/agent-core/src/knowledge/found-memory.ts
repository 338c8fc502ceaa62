/** What recall has found for a turn so far. */
import type { Chunk } from "./chunk.ts";
import { type Candidate, fused, type Hit, passesFloor, rankHits, type Similar } from "./rank-hits.ts";
import type { FoundMemory, PriorSession } from "./recall-frame.ts";

/** What was read in time. */
export interface Found {
  prior: readonly PriorSession[] | undefined;
  always: readonly Chunk[];
  /** Undefined: they are still looked for. */
  byWords: readonly Candidate[] | undefined;
  /** By meaning. Undefined: it is still looked for, or was not possible. */
  similar: readonly Similar[] | undefined;
  /** Words of the message. */
  words: number;
  /** It names what no memory names. */
  namesUnknown: boolean;
  /** Chunks in the store. */
  all: number;
}

export const NOTHING_FOUND: Readonly<Found> = {
  prior: undefined,
  always: [],
  byWords: undefined,
  similar: undefined,
  words: 0,
  namesUnknown: false,
  all: 0,
};

export function modeOf({ words, similar }: Found): "keyword" | "hybrid" | "none" {
  if (words === 0) return "none";
  return similar === undefined ? "keyword" : "hybrid";
}

export function shownOf({ always, byWords = [], similar = [], namesUnknown: isUnknown }: Found): FoundMemory {
  const related = new Set(similar.filter(({ isRelated }) => isRelated && !isUnknown).map(({ chunk }) => chunk.id));
  const fits = ({ chunk, covered }: Candidate): boolean => related.has(chunk.id) || passesFloor(covered);
  const candidates = fused(byWords, similar);
  const hits: readonly Hit[] = rankHits(candidates.filter(fits));
  // What is far in meaning and has none of the words was never near to being shown.
  const weak = candidates.filter((one) => !fits(one) && one.rank !== undefined).map(({ chunk }) => chunk.id);
  return { always, hits, weak };
}

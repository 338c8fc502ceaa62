/**
 * Puts what the agent remembers before a turn (K17 to K19): always-on memories, and those that fit its message.
 *
 * Invariants
 *  KM2  A turn never fails, and waits at most its time, because of memory.
 *  KM4  A superseded, expired, pending, rejected or removed chunk is in no new frame.
 */
import type { Clock } from "../clock/index.ts";
import type { LazyStore } from "../database/index.ts";
import type { Chunk } from "./chunk.ts";
import { chunkOf } from "./chunk-statements.ts";
import { type Candidate, type Hit, passesFloor, rankHits, rarestTerms } from "./rank-hits.ts";
import { composeFrame, type FrameBudget, type RecallFrame } from "./recall-frame.ts";
import { COMMON, recallStatements } from "./recall-statements.ts";
import { searchTerms } from "./search-words.ts";

/** Newest always-on memories that are read. */
const MOST_ALWAYS = 100;
const MOST_CANDIDATES = 40;
/** Characters that recall has at least, whatever the share of the window. */
const LEAST_CHARACTERS = 16_000;
/** Characters a token is taken for. */
const CHARACTERS_PER_TOKEN = 4;

export interface RecallSettings {
  /** `middleware.knowledge`. */
  readonly enabled: boolean;
  /** Hits of a turn; 0 and less: none. */
  readonly topK: number;
  /** Share of the window in percent; 0: no bound. */
  readonly budgetPct: number;
  /** How long a turn waits, in milliseconds. */
  readonly timeoutMs: number;
}

export interface RecallOptions {
  /** The store with the schema `knowledge`. */
  readonly store: Pick<LazyStore, "get">;
  /** Whether the store has been made: one that has not is not opened. */
  readonly exists: () => boolean;
  readonly clock: Clock;
  /** Read at each turn. */
  readonly settings: () => RecallSettings;
  /** Hears of a store that failed. */
  readonly onFailure: (error: unknown) => void;
}

/** What a turn asks with. */
export interface RecallQuery {
  readonly text: string;
  /** References (`<id>:<revision>`) that the model sees already. */
  readonly inSight: ReadonlySet<string>;
  readonly windowTokens: number;
}

/** What was read in time. */
interface Found {
  always: readonly Chunk[];
  hits: readonly Hit[];
  /** Below the floor. */
  weak: readonly number[];
  mode: "keyword" | "none";
}

/** Recalls for turns. */
export class Recall {
  readonly #options: RecallOptions;
  readonly #sql = recallStatements();
  /** The store is known to hold nothing, so that turns do not read it. */
  #isEmpty = false;

  constructor(options: RecallOptions) {
    this.#options = options;
  }

  /** Something was written. */
  noteWrite(): void {
    this.#isEmpty = false;
  }

  /** What to show; undefined: nothing, and nothing was looked for. Never rejects. */
  recall(query: RecallQuery): Promise<RecallFrame | undefined> | undefined {
    const settings = this.#options.settings();
    if (!settings.enabled || this.#isEmpty) return undefined;
    // Whatever makes the store writes to it, and that is noted.
    this.#isEmpty = !this.#options.exists();
    if (this.#isEmpty) return undefined;
    return this.#recall(query, settings);
  }

  async #recall(query: RecallQuery, settings: RecallSettings): Promise<RecallFrame | undefined> {
    const { clock, onFailure } = this.#options;
    const began = clock.now();
    const found: Found = { always: [], hits: [], weak: [], mode: "none" };
    const { promise: late, resolve } = Promise.withResolvers<"late">();
    const timer = clock.setTimeout(() => resolve("late"), settings.timeoutMs);
    const reading = this.#read(query, settings, found).catch((error: unknown) => {
      onFailure(error);
      return "failed" as const;
    });
    const outcome = await Promise.race([reading, late]);
    timer.cancel();
    if (outcome === "empty" || outcome === "failed") return undefined;
    const budget = budgetOf(settings, query.windowTokens);
    // What comes in after the time is up changes nothing any more.
    const frame = composeFrame({ ...found }, { inSight: query.inSight, budget, topK: settings.topK });
    const isLate = outcome === "late";
    const { items, leftOut } = frame;
    if (items.length === 0 && leftOut.length === 0 && !isLate) return undefined;
    const { text, refs } = frame;
    const record = {
      ...{ mode: found.mode, items, leftOut, chars: text.length, ms: clock.now() - began },
      ...(isLate && { late: true as const }),
    };
    return { text, refs, record };
  }

  async #read({ text }: RecallQuery, { topK }: RecallSettings, found: Found): Promise<"done" | "empty"> {
    const db = await this.#options.store.get();
    const now = this.#options.clock.now();
    const terms = topK > 0 ? searchTerms(text) : [];
    const [[count], always, occurrences] = await Promise.all([
      db.read(this.#sql.count.bind({})),
      db.read(this.#sql.always.bind({ now, limit: MOST_ALWAYS })),
      terms.length === 0 ? [] : db.read(this.#sql.occurrences.bind({ terms: JSON.stringify(terms) })),
    ]);
    const all = Number(count?.[0]);
    if (all === 0) {
      this.#isEmpty = true;
      return "empty";
    }
    found.always = always.map(chunkOf);
    const wanted = rarestTerms(
      occurrences.map(([term, chunks]) => ({ term: String(term), chunks: Number(chunks) })),
      COMMON,
    );
    found.mode = terms.length === 0 ? "none" : "keyword";
    if (wanted.length === 0) return "done";
    const query = wanted.map(({ term }) => term).join(" OR ");
    const chunks = (await db.read(this.#sql.candidates.bind({ query, now, limit: MOST_CANDIDATES }))).map(chunkOf);
    const bound = {
      ids: JSON.stringify(chunks.map(({ id }) => id)),
      terms: JSON.stringify(wanted.map(({ term }) => term)),
    };
    const matches = await db.read(this.#sql.matches.bind(bound));
    const candidates: Candidate[] = chunks.map((chunk, i) => {
      const own = new Set(matches.filter(([id]) => Number(id) === chunk.id).map(([, term]) => String(term)));
      return { chunk, rank: i + 1, terms: wanted.filter(({ term }) => own.has(term)) };
    });
    const fits = ({ terms: own }: Candidate): boolean => passesFloor(own, { words: terms.length, all });
    found.hits = rankHits(candidates.filter(fits));
    found.weak = candidates.filter((one) => !fits(one)).map(({ chunk }) => chunk.id);
    return "done";
  }
}

function budgetOf({ budgetPct }: RecallSettings, windowTokens: number): FrameBudget {
  const share = (windowTokens * CHARACTERS_PER_TOKEN * budgetPct) / 100;
  return { hits: budgetPct <= 0 ? Number.POSITIVE_INFINITY : Math.max(LEAST_CHARACTERS, Math.floor(share)) };
}

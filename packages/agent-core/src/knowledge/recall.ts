/**
 * Puts what the agent remembers before a turn (K17 to K19): always-on memories, and those that fit its message.
 *
 * Invariants
 *  KM2  A turn never fails, and waits at most its time, because of memory.
 *  KM4  A superseded, expired, pending, rejected or removed chunk is in no new frame.
 */
import type { Clock } from "../clock/index.ts";
import type { Database, LazyStore, Row } from "../database/index.ts";
import { chunkOf } from "./chunk-statements.ts";
import type { Embeddings } from "./embedding/index.ts";
import { type Found, modeOf, NOTHING_FOUND, shownOf } from "./found-memory.ts";
import { type AskedWords, coverage, judgedTerms, namesUnknown, passesFloor, rarestTerms } from "./rank-hits.ts";
import {
  type ComposedFrame,
  composeFrame,
  type FrameBudget,
  type PriorSession,
  type RecallFrame,
  showsSessions,
} from "./recall-frame.ts";
import { COMMON, recallStatements } from "./recall-statements.ts";
import { isDay, searchSentences } from "./search-words.ts";
import { attachmentsOf } from "./sources/source.ts";

/** Newest always-on memories that are read. */
const MOST_ALWAYS = 100;
const MOST_CANDIDATES = 40;
/** Characters of a message that are searched for by meaning. */
const MOST_ASKED = 2_000;
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
  /** Undefined: found by words only. */
  readonly embeddings?: Pick<Embeddings, "state" | "search">;
}

/** What a turn asks with. */
export interface RecallQuery {
  readonly text: string;
  /** Whose attachments are found too. */
  readonly view?: { readonly context: string };
  /** References (`<id>:<revision>`) that the model sees already. */
  readonly inSight: ReadonlySet<string>;
  readonly windowTokens: number;
  /** It brought what was said before: no lines of earlier conversations are shown with it. */
  readonly brought?: boolean;
}

/** Reads lines of earlier conversations for a turn, at once where they are in memory; undefined: there are none. */
export type ReadPriorSessions = (ask: { readonly text: string; readonly context: string }) => PriorSessions | undefined;

type PriorSessions = readonly PriorSession[] | Promise<readonly PriorSession[]>;

/** Recalls for turns. */
export class Recall {
  readonly #options: RecallOptions;
  readonly #sql = recallStatements();
  /** The store is known to hold nothing, so that turns do not read it. */
  #isEmpty = false;
  #priorSessions: ReadPriorSessions = () => undefined;

  constructor(options: RecallOptions) {
    this.#options = options;
  }

  /** Gives turns lines of earlier conversations from here on (K16). */
  usePriorSessions(read: ReadPriorSessions): void {
    this.#priorSessions = read;
  }

  /** Something was written. */
  noteWrite(): void {
    this.#isEmpty = false;
  }

  /** What to show, at once where nothing has to be read; undefined: nothing, and nothing was looked for. Never rejects. */
  recall(query: RecallQuery): RecallFrame | Promise<RecallFrame | undefined> | undefined {
    const settings = this.#options.settings();
    if (!settings.enabled) return undefined;
    const { text, inSight, view, brought = false } = query;
    const prior =
      brought || showsSessions(inSight) ? undefined : this.#priorSessions({ text, context: view?.context ?? "" });
    // Whatever makes the store writes to it, and that is noted.
    this.#isEmpty ||= !this.#options.exists();
    if (!this.#isEmpty || prior instanceof Promise) return this.#recall(query, settings, prior);
    if (prior === undefined || prior.length === 0) return undefined;
    const frame = composeFrame(shownOf(NOTHING_FOUND), this.#limitsOf(query, settings, prior));
    return this.#frameOf(frame, { found: NOTHING_FOUND, isLate: false, ms: 0 });
  }

  async #recall(
    query: RecallQuery,
    settings: RecallSettings,
    prior: PriorSessions | undefined,
  ): Promise<RecallFrame | undefined> {
    const { clock, onFailure } = this.#options;
    const began = clock.now();
    const found: Found = { ...NOTHING_FOUND };
    const { promise: late, resolve } = Promise.withResolvers<"late">();
    const timer = clock.setTimeout(() => resolve("late"), settings.timeoutMs);
    const failed = (error: unknown): "failed" => {
      onFailure(error);
      return "failed";
    };
    const reading = this.#isEmpty ? "empty" : this.#read(query, settings, found).catch(failed);
    const readingPrior = prior && this.#readPrior(prior, found).catch(failed);
    const both = Promise.all([reading, readingPrior]).then(([outcome]) => outcome);
    const outcome = await Promise.race([both, late]);
    timer.cancel();
    const lines = found.prior ?? [];
    if ((outcome === "empty" || outcome === "failed") && lines.length === 0) return undefined;
    // What comes in after the time is up changes nothing any more.
    const frame = composeFrame(shownOf(found), this.#limitsOf(query, settings, lines));
    const isLate = outcome === "late" && !this.#isEmpty && found.byWords === undefined;
    if (frame.refs.length === 0 && frame.leftOut.length === 0 && !isLate) return undefined;
    return this.#frameOf(frame, { found, isLate, ms: clock.now() - began });
  }

  async #readPrior(prior: PriorSessions, found: Found): Promise<void> {
    found.prior = await prior;
  }

  #limitsOf({ inSight, windowTokens }: RecallQuery, settings: RecallSettings, prior: readonly PriorSession[]) {
    return { inSight, prior, budget: budgetOf(settings, windowTokens), topK: settings.topK };
  }

  #frameOf(
    { text, refs, outside, items, leftOut, sessions }: ComposedFrame,
    { found, isLate, ms }: { readonly found: Found; readonly isLate: boolean; readonly ms: number },
  ): RecallFrame {
    const byMeaning = this.#options.embeddings?.state ?? "off";
    const record = {
      ...{ mode: modeOf(found), items, leftOut, chars: text.length, ms },
      ...(sessions.length > 0 && { sessions }),
      ...(isLate && { late: true as const }),
      ...(byMeaning !== "off" && found.words > 0 && found.similar === undefined && { degraded: true as const }),
    };
    return { text, refs, outside, record };
  }

  async #read({ text, view }: RecallQuery, { topK }: RecallSettings, found: Found): Promise<"done" | "empty"> {
    const db = await this.#options.store.get();
    const now = this.#options.clock.now();
    const sentences = topK > 0 ? searchSentences(text) : [];
    const terms = sentences.flat().map(({ term }) => term);
    // To count a day is to look it up in all its forms.
    const counted = terms.filter((term) => !isDay(term));
    found.words = terms.length;
    const [[count], always, occurrences] = await Promise.all([
      db.read(this.#sql.count.bind({})),
      db.read(this.#sql.always.bind({ now, limit: MOST_ALWAYS })),
      counted.length === 0 ? [] : db.read(this.#sql.occurrences.bind({ terms: JSON.stringify(counted) })),
    ]);
    found.all = Number(count?.[0]);
    if (found.all === 0) {
      this.#isEmpty = true;
      return "empty";
    }
    found.always = always.map(chunkOf);
    if (terms.length === 0) found.byWords = [];
    else
      await Promise.all([
        this.#readByWords(db, found, { sentences, occurrences, namespace: attachmentsOf(view?.context ?? "") }),
        this.#readSimilar(db, text, found),
      ]);
    return "done";
  }

  async #readByWords(
    db: Database,
    found: Found,
    {
      sentences,
      occurrences,
      namespace,
    }: Pick<AskedWords, "sentences"> & { readonly occurrences: readonly Row[]; readonly namespace: string },
  ): Promise<void> {
    const now = this.#options.clock.now();
    const days = sentences.flat().flatMap(({ term }): [string, number][] => (isDay(term) ? [[term, 1]] : []));
    const chunksOf = new Map([
      ...occurrences.map(([term, chunks]) => [String(term), Number(chunks)] as const),
      ...days,
    ]);
    const asked = { sentences, chunksOf, all: found.all };
    found.namesUnknown = namesUnknown(asked);
    const occurring = [...chunksOf].map(([term, chunks]) => ({ term, chunks }));
    const wanted = rarestTerms(occurring, COMMON);
    const judged = judgedTerms(occurring);
    // Not even a chunk that has all of them would have enough.
    if (!passesFloor(coverage(judged, asked))) {
      found.byWords = [];
      return;
    }
    const query = wanted.map(({ term }) => term).join(" OR ");
    const chunks = (await db.read(this.#sql.candidates.bind({ query, now, namespace, limit: MOST_CANDIDATES }))).map(
      chunkOf,
    );
    const bound = {
      ids: JSON.stringify(chunks.map(({ id }) => id)),
      terms: JSON.stringify(judged.map(({ term }) => term)),
    };
    const matches = await db.read(this.#sql.matches.bind(bound));
    found.byWords = chunks.map((chunk, i) => {
      const own = new Set(matches.filter(([id]) => Number(id) === chunk.id).map(([, term]) => String(term)));
      const terms = judged.filter(({ term }) => own.has(term));
      return { chunk, rank: i + 1, vectorRank: undefined, terms, covered: coverage(terms, asked) };
    });
  }

  async #readSimilar(db: Database, text: string, found: Found): Promise<void> {
    const search = await this.#options.embeddings?.search(text.slice(0, MOST_ASKED), MOST_CANDIDATES);
    if (search === undefined) return;
    const ids = JSON.stringify(search.found.map(({ id }) => id));
    const rows = (await db.read(this.#sql.byIds.bind({ ids, now: this.#options.clock.now() }))).map(chunkOf);
    const chunks = new Map(rows.map((chunk) => [chunk.id, chunk]));
    found.similar = search.found.flatMap(({ id, cosine }) => {
      const chunk = chunks.get(id);
      return chunk === undefined ? [] : [{ chunk, isRelated: cosine >= search.floor }];
    });
  }
}

function budgetOf({ budgetPct }: RecallSettings, windowTokens: number): FrameBudget {
  const share = (windowTokens * CHARACTERS_PER_TOKEN * budgetPct) / 100;
  return { hits: budgetPct <= 0 ? Number.POSITIVE_INFINITY : Math.max(LEAST_CHARACTERS, Math.floor(share)) };
}

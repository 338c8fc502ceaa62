/**
 * Words as the keyword index reads them.
 *
 * Chinese, Japanese and Thai are written without spaces, and the index cuts at spaces: a run of them is stored as its pairs
 * of neighbours. A dictionary would cut the same characters differently in a text and in a question.
 */

import { takeDates } from "./search-dates.ts";

/** Letters of scripts that are written without spaces between words. */
const UNSPACED =
  "[[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}]&&[\\p{L}\\p{N}\\p{M}]]";
const RUN = new RegExp(`${UNSPACED}+`, "gv");
const PIECE = new RegExp(`(?<run>${UNSPACED}+)|[[\\p{L}\\p{N}\\p{Co}\\p{M}]--${UNSPACED}]+`, "gv");
const HAS_LETTER = /[\p{L}\p{N}\p{Co}]/u;

/** Words and pairs that count in a search. */
const MOST_WORDS = 32;
/** Characters of a search that are read. */
const MOST_CHARACTERS = 4_000;

/** Words that sentences are held together by, and those with which something is asked for: they say nothing about what. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  [
    "a an and are as at be been being but by can cannot could did do does doing done for from had has have having how i if in into is it its",
    "me mine my no nor not of off on onto or our ours out over shall she he her hers him his should so some than that the their them then",
    "there these they this those to too under until up upon us very was we were what when where which while who whom whose why will with",
    "would you your yours about after again all also always am any anybody anyone anything anywhere because before both each either",
    "every everybody everyone everything few here just many may maybe might more most much must myself never nobody nothing now once one",
    "only other others ought own same say says said several since somebody someone something somewhere still such through yes yet",
    "don didn doesn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn ain let lets like know knew known get gets got",
    "ask asked asks sure give gave given tell told remind remember recall please thanks thank hello hey hi ok okay",
  ].flatMap((line) => line.split(" ")),
);

/** What stands behind an apostrophe: don't, it's, we're. */
const CONTRACTED: ReadonlySet<string> = new Set("s t re ll ve d m".split(" "));

/** Where several signs stand together, they are looked at from the first one alone: what is long would take its square. */
const SENTENCE_END = /(?<![.!?…])[.!?…]+(?=\s|$)|[。！？；\n]/u;
/** Pieces without a space between them, such as ERR_42-b, 10.20.3.4 or R2026-0417. They are looked for where a word begins. */
const COMPOUND = new RegExp(
  `(?<![[\\p{L}\\p{N}]--${UNSPACED}])[[\\p{L}\\p{N}]--${UNSPACED}]+(?:[_\\-.\\/:#@\\\\]+[[\\p{L}\\p{N}]--${UNSPACED}]+)+`,
  "gv",
);

const CAPITAL = /^\p{Lu}/u;

/** A word of a search. */
export interface SearchWord {
  /** As a query of the index. */
  readonly term: string;
  /** An identifier, a day, or written with a capital where no sentence begins. */
  readonly isName: boolean;
}

/** What the index reads of a text; undefined: the text as it is. */
export function indexedText(text: string): string | undefined {
  const cut = text.normalize("NFKC").replace(RUN, (run) => ` ${pairs(run).join(" ")} `);
  return cut === text ? undefined : cut;
}

/**
 * A search as a query of the index: any of its words may occur, in any inflection, and any part of an identifier. Nothing in it
 * is an operator. Undefined: it holds no word.
 */
export function matchQuery(search: string): string | undefined {
  const terms = new Set(
    searchSentences(search)
      .flat()
      .flatMap(({ term }) => [term, ...partsOf(term)]),
  );
  const used = [...terms].slice(0, MOST_WORDS);
  return used.length === 0 ? undefined : used.join(" OR ");
}

/** The identifiers and days of a search, as a query of the index; undefined: it has none. */
export function namesQuery(search: string): string | undefined {
  const names = searchSentences(search)
    .flat()
    .map(({ term }) => term)
    .filter((term) => term.includes(" "));
  return names.length === 0 ? undefined : names.join(" OR ");
}

/**
 * The words of a search by its sentences, each as a query of the index: those that say something, unless there are none. An
 * identifier is one word, and so is a day, however it is written. None occurs twice.
 */
export function searchSentences(search: string): readonly (readonly SearchWord[])[] {
  const known = new Set<string>();
  const sentences = search
    .slice(0, MOST_CHARACTERS)
    .normalize("NFKC")
    .split(SENTENCE_END)
    .map((sentence) => termsOf(sentence).filter(({ term }) => !known.has(term) && known.add(term)));
  const hasTelling = sentences.some((terms) => terms.some(({ isStopWord }) => !isStopWord));
  let left = MOST_WORDS;
  return sentences.flatMap((terms) => {
    const used = terms.filter(({ isStopWord }) => !isStopWord || !hasTelling).slice(0, left);
    left -= used.length;
    return used.length === 0 ? [] : [used.map(({ term, isName }) => ({ term, isName }))];
  });
}

/** Whether a word of a search is a day, in all the forms that it is written in. */
export function isDay(term: string): boolean {
  return term.startsWith("(");
}

interface FoundWord extends SearchWord {
  readonly isStopWord: boolean;
}

function termsOf(sentence: string): readonly FoundWord[] {
  const dates = takeDates(sentence);
  const compounds: string[] = [];
  const rest = dates.rest.replaceAll(COMPOUND, (compound) => {
    if (!/[\p{N}_]/u.test(compound)) return compound;
    compounds.push(`"${(compound.match(PIECE) ?? []).join(" ").toLowerCase()}"`);
    return " ";
  });
  const words: FoundWord[] = [];
  for (const { 0: piece, groups, index } of rest.matchAll(PIECE)) {
    const word = piece.toLowerCase();
    const isRun = groups?.run !== undefined;
    if (!HAS_LETTER.test(piece) || (/['’]/.test(rest[index - 1] ?? "") && CONTRACTED.has(word))) continue;
    const isName = !isRun && CAPITAL.test(piece) && /\p{L}/u.test(rest.slice(0, index));
    for (const term of isRun ? asked(piece) : [`"${word}"`])
      words.push({ term, isName, isStopWord: !isRun && STOP_WORDS.has(word) });
  }
  return [...[...dates.terms, ...compounds].map((term) => ({ term, isName: true, isStopWord: false })), ...words];
}

/** The words of an identifier. */
function partsOf(term: string): readonly string[] {
  return /^"[^"]* [^"]*"$/.test(term)
    ? term
        .slice(1, -1)
        .split(" ")
        .map((part) => `"${part}"`)
    : [];
}

/** Each letter with the one behind it; the last one alone, so that a search for one letter finds it at the start of a word. */
function pairs(run: string): string[] {
  const letters = lettersOf(run);
  return letters.map((letter, at) => letter + (letters[at + 1] ?? ""));
}

function asked(run: string): string[] {
  const letters = lettersOf(run);
  return letters.length === 1
    ? [`"${letters[0]}"*`]
    : pairs(run)
        .slice(0, -1)
        .map((pair) => `"${pair}"`);
}

/** Without vowel signs and tone marks, at which the index would cut. */
function lettersOf(run: string): string[] {
  return [...run.replaceAll(/\p{M}/gu, "")];
}

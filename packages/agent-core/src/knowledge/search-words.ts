/**
 * Words as the keyword index reads them.
 *
 * Chinese, Japanese and Thai are written without spaces, and the index cuts at spaces: a run of them is stored as its pairs
 * of neighbours. A dictionary would cut the same characters differently in a text and in a question.
 */

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

const STOP_WORDS: ReadonlySet<string> = new Set(
  "a an and are as at be but by can could did do does for from had has have how i if in into is it its me my no not of on or our shall she should so some than that the their them then there these they this to us was we were what when where which who why will with would you your".split(
    " ",
  ),
);

/** What the index reads of a text; undefined: the text as it is. */
export function indexedText(text: string): string | undefined {
  const cut = text.normalize("NFKC").replace(RUN, (run) => ` ${pairs(run).join(" ")} `);
  return cut === text ? undefined : cut;
}

/**
 * A search as a query of the index: any of its words may occur, in any inflection. Nothing in it is an operator. Undefined:
 * it holds no word.
 */
export function matchQuery(search: string): string | undefined {
  const used = searchTerms(search);
  return used.length === 0 ? undefined : used.join(" OR ");
}

/** The words of a search, each as a query of the index: those that say something, unless there are none. */
export function searchTerms(search: string): readonly string[] {
  const terms = new Map<string, boolean>();
  for (const { 0: piece, groups } of search.slice(0, MOST_CHARACTERS).normalize("NFKC").matchAll(PIECE)) {
    const isRun = groups?.run !== undefined;
    const found = isRun ? asked(piece) : [`"${piece.toLowerCase()}"`];
    for (const term of HAS_LETTER.test(piece) ? found : [])
      terms.set(term, !isRun && STOP_WORDS.has(piece.toLowerCase()));
  }
  const all = [...terms.keys()];
  const telling = all.filter((term) => terms.get(term) === false);
  return (telling.length > 0 ? telling : all).slice(0, MOST_WORDS);
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

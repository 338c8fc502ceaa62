/** Further words of a search are ignored. */
const MAX_WORDS = 16;

/** The words of a text, as the index reads them. */
export function wordsIn(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}\p{Co}\p{M}]+/gu) ?? [];
}

/** The words of a person's search that count. */
export function searchWords(search: string): readonly string[] {
  return wordsIn(search.slice(0, 1_000)).slice(0, MAX_WORDS);
}

/**
 * A person's search as a query of the index: every word has to occur, in any order and inflection. Nothing in it is an
 * operator. Undefined: it holds no word.
 */
export function searchQuery(text: string): string | undefined {
  const words = searchWords(text);
  return words.length === 0 ? undefined : words.map((word) => `"${word}"`).join(" AND ");
}

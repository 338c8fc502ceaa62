/** Further words of a search are ignored. */
const MAX_WORDS = 16;

/**
 * A person's search as a query of the index: every word has to occur, in any order and inflection. Nothing in it is an
 * operator. Undefined: it holds no word.
 */
export function searchQuery(text: string): string | undefined {
  const words = text.slice(0, 1_000).match(/[\p{L}\p{N}\p{Co}\p{M}]+/gu) ?? [];
  if (words.length === 0) return undefined;
  return words
    .slice(0, MAX_WORDS)
    .map((word) => `"${word}"`)
    .join(" AND ");
}

import type { SearchEntry } from "./page-message.ts";

/** Characters of one result. A longer title or snippet is cut; a result with a longer address is left out. */
export const RESULT_LIMITS: Readonly<Record<keyof SearchEntry, number>> = Object.freeze({
  title: 200,
  url: 2_000,
  snippet: 500,
});

/** Entries looked at; later ones are not. */
const MOST_ENTRIES = 100;

/** One line of well-formed text without control and direction characters, cut at a number of characters. */
function line(text: string, maxChars: number): string {
  // Cut first: whatever a provider sends costs no more than its bound.
  const plain = text
    .slice(0, 8 * maxChars)
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, " ")
    .replace(/[\u202a-\u202e\u2066-\u2069\ufffd]/g, "")
    .trim();
  return plain.length <= maxChars ? plain : `${plain.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

function address(text: string): string | undefined {
  if (text.length > RESULT_LIMITS.url) return undefined;
  const url = URL.parse(text);
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  return isWeb && url.href.length <= RESULT_LIMITS.url ? url.href : undefined;
}

/** The first `count` entries that lead somewhere on the web, each address once, every text bounded. */
export function boundedResults(entries: readonly SearchEntry[], count: number): readonly SearchEntry[] {
  const results = new Map<string, SearchEntry>();
  for (const entry of entries.slice(0, MOST_ENTRIES)) {
    const url = address(entry.url);
    if (url === undefined || results.has(url)) continue;
    const title = line(entry.title, RESULT_LIMITS.title) || line(url, RESULT_LIMITS.title);
    results.set(url, { title, url, snippet: line(entry.snippet, RESULT_LIMITS.snippet) });
    if (results.size === count) break;
  }
  return [...results.values()];
}

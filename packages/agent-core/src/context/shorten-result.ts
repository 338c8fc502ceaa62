/** Most characters kept of the beginning of a shortened result, and of its end. */
const HEAD_CHARS = 1_000;
const TAIL_CHARS = 500;

/** Fewest characters a result can be required to have, so that a shortened one is always below. */
export const LEAST_MIN_CHARS = 500;

function isLowSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xdc00;
}

/**
 * Head, omission marker and tail of an older tool result (B56 `pruning`). A result of fewer than `minChars`
 * characters is returned unchanged, and what was shortened has fewer, so that nothing is shortened twice.
 */
export function shortenResult(text: string, minChars: number): string {
  if (text.length < minChars) return text;
  let head = Math.min(HEAD_CHARS, Math.floor(minChars / 4));
  let tail = text.length - Math.min(TAIL_CHARS, Math.floor(minChars / 8));
  if (isLowSurrogate(text.charCodeAt(head))) head--;
  if (isLowSurrogate(text.charCodeAt(tail))) tail++;
  const marker = `\n[… ${tail - head} of ${text.length} characters of this older result are left out to save room …]\n`;
  // The round trip makes a new string, so that the large original can be collected.
  return (text.slice(0, head) + marker + text.slice(tail)).toWellFormed();
}

import { storableText } from "../database/index.ts";

/** The share of the kept characters that come from the beginning; the end often holds the error or the total. */
const HEAD_SHARE = 0.7;

function isLowSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xdc00;
}

/**
 * At most `maxChars` characters of `text`: its head, a marker that names how many characters were cut, its tail. Never
 * cuts a character in two; lone surrogates and NULs become U+FFFD, so that the result survives UTF-8 and the store.
 * Bounds too small for the marker give the head alone.
 */
export function clipText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return storableText(text);
  const marker = `\n[… ${text.length - maxChars} of ${text.length} characters cut …]\n`;
  const kept = maxChars - marker.length;
  let head = kept <= 0 ? maxChars : Math.ceil(kept * HEAD_SHARE);
  if (isLowSurrogate(text.charCodeAt(head))) head--;
  if (kept <= 0) return storableText(text.slice(0, Math.max(0, head)));
  let tail = text.length - (kept - Math.ceil(kept * HEAD_SHARE));
  if (isLowSurrogate(text.charCodeAt(tail))) tail++;
  // toWellFormed also flattens the pieces into a new string, so that the large original can be collected.
  return storableText(text.slice(0, head) + marker + text.slice(tail));
}

import { storableText } from "../database/index.ts";

/** The share of the kept characters that come from the beginning; the end often holds the error or the total. */
const HEAD_SHARE = 0.7;

function isLowSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xdc00;
}

/**
 * At most `maxChars` characters of `text`: its head, a marker that names how many characters were cut, its tail. Never
 * cuts a character in two; lone surrogates and NULs become U+FFFD, so that the result survives UTF-8 and the store.
 * Bounds too small for the marker give the head alone. `clean` takes secrets out of what is kept, read with what stood
 * beside the cut, so that none of them is cut in two and shown in part.
 */
export function clipText(text: string, maxChars: number, clean: (text: string) => string = same): string {
  if (text.length <= maxChars) return storableText(text);
  const marker = `\n[… ${text.length - maxChars} of ${text.length} characters cut …]\n`;
  const kept = maxChars - marker.length;
  let head = kept <= 0 ? maxChars : Math.ceil(kept * HEAD_SHARE);
  if (isLowSurrogate(text.charCodeAt(head))) head--;
  if (kept <= 0) return storableText(headOf(text, Math.max(0, head), clean));
  let tail = text.length - (kept - Math.ceil(kept * HEAD_SHARE));
  if (isLowSurrogate(text.charCodeAt(tail))) tail++;
  // toWellFormed also flattens the pieces into a new string, so that the large original can be collected.
  return storableText(headOf(text, head, clean) + marker + tailOf(text, text.length - tail, clean));
}

/** Characters beside a cut that are read too: no secret is longer. */
export const CUT_MARGIN = 8_192;

/**
 * The first `chars` characters of a text without its secrets. What is read ends somewhere in the text, perhaps in a secret:
 * its last part is not shown, for taking out others moves it forward.
 */
export function cleanHead(text: string, chars: number, clean: (text: string) => string): string {
  const isWhole = text.length <= chars + CUT_MARGIN;
  const read = clean(isWhole ? text : text.slice(0, chars + CUT_MARGIN));
  return read.slice(0, isWhole ? chars : Math.max(0, Math.min(chars, read.length - CUT_MARGIN)));
}

function headOf(text: string, chars: number, clean: (text: string) => string): string {
  return clean === same ? text.slice(0, chars) : cleanHead(text, chars, clean);
}

function tailOf(text: string, chars: number, clean: (text: string) => string): string {
  if (clean === same) return text.slice(text.length - chars);
  const isWhole = text.length <= chars + CUT_MARGIN;
  const read = clean(isWhole ? text : text.slice(text.length - chars - CUT_MARGIN));
  const shown = isWhole ? chars : Math.min(chars, read.length - CUT_MARGIN);
  return shown <= 0 ? "" : read.slice(-shown);
}

function same(text: string): string {
  return text;
}

/** Estimates the cost of parsing a JSON text before it is parsed. */

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

export interface JsonBounds {
  /** Most arrays and objects inside one another. */
  readonly depth: number;
  /** Most values, the whole and everything in it; an empty array or object counts as if it held one. */
  readonly values: number;
}

/**
 * The bound that `text` breaks, or undefined (S7). Parsing takes time by the number of values much more than by
 * the number of bytes, and nothing else runs meanwhile. One pass, no recursion, no allocation; text that is not JSON
 * gets some answer and never an exception.
 */
export function brokenBound(text: string, { depth: deepest, values: most }: JsonBounds): keyof JsonBounds | undefined {
  let depth = 0;
  let values = 1;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) {
      i = endOfString(text, i);
    } else if (c === COMMA) {
      if (++values > most) return "values";
    } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      if (++depth > deepest) return "depth";
      if (++values > most) return "values";
    } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) {
      depth--;
    }
  }
  return undefined;
}

/** Index of the quote that closes the string opened at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  const end = text.indexOf('"', start + 1);
  if (end === -1) return text.length;
  if (text.charCodeAt(end - 1) !== BACKSLASH) return end;
  // The quote may be escaped, so escapes have to be tracked from the start.
  for (let i = start + 1; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === BACKSLASH) i++;
    else if (c === QUOTE) return i;
  }
  return text.length;
}

/**
 * Finds any of many fixed texts in one pass (after Wu and Manber): a table over blocks of three characters holds how far
 * to skip, so a line that holds none of them costs about a quarter of its length in table look-ups, however many texts
 * there are.
 */

/** A stretch of a text, from `start` up to but not including `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface TextMatcher {
  /** All occurrences in `text`, those that touch or overlap joined into one, in order. */
  find(text: string): Span[];
  /** Length of the longest text looked for, in characters. */
  readonly longest: number;
}

const BLOCK = 3;
const TABLE_MASK = 0xffff;

function blockHash(text: string, end: number): number {
  const mixed = text.charCodeAt(end - 3) * 31 * 31 + text.charCodeAt(end - 2) * 31 + text.charCodeAt(end - 1);
  return mixed & TABLE_MASK;
}

/**
 * The length of the first of `needles` that is at `start`, 0 if none is. No function of `find` itself: one that captured a
 * variable of its loop would allocate at each step.
 */
function lengthAt(text: string, start: number, needles: readonly string[] = []): number {
  for (const needle of needles) if (text.startsWith(needle, start)) return needle.length;
  return 0;
}

/** Prepares a matcher. Every needle has at least three characters. */
export function createTextMatcher(needles: readonly string[]): TextMatcher {
  if (needles.length === 0) return { find: () => [], longest: 0 };
  const window = needles.reduce((least, needle) => Math.min(least, needle.length), 255);
  const farthest = window - BLOCK + 1;
  const skips = new Uint8Array(TABLE_MASK + 1).fill(farthest);
  const candidates = new Map<number, string[]>();
  for (const needle of [...needles].sort((a, b) => b.length - a.length)) {
    for (let end = BLOCK; end <= window; end++) {
      const hash = blockHash(needle, end);
      skips[hash] = Math.min(skips[hash]!, window - end);
    }
    const last = blockHash(needle, window);
    const known = candidates.get(last);
    if (known === undefined) candidates.set(last, [needle]);
    else known.push(needle);
  }

  function find(text: string): Span[] {
    const spans: { start: number; end: number }[] = [];
    let end = window;
    while (end <= text.length) {
      const hash = blockHash(text, end);
      const skip = skips[hash]!;
      if (skip > 0) {
        end += skip;
        continue;
      }
      const start = end - window;
      const stop = start + lengthAt(text, start, candidates.get(hash));
      if (stop > start) {
        const open = spans.at(-1);
        if (open !== undefined && start <= open.end) open.end = Math.max(open.end, stop);
        else spans.push({ start, end: stop });
      }
      end++;
    }
    return spans;
  }

  return { find, longest: needles.reduce((most, needle) => Math.max(most, needle.length), 0) };
}

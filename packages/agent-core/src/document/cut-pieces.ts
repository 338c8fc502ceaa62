import { DOCUMENT_LIMITS } from "./document-limits.ts";
import type { Piece, Section } from "./document-message.ts";

const { pieceChars, overlapChars, headingChars } = DOCUMENT_LIMITS;

/** Where a text is cut best: behind a paragraph, a line, a sentence, a word. Behind a full stop of Chinese no space stands. */
const PLACES = [/\n[ \t]*\n/g, /\n/g, /[.!?…][\s]|[。！？]/g, /[\s\u3000]/g] as const;
/** The part of a piece that is searched for a place to cut. */
const LAST_SHARE = 0.4;

/** Cuts sections into pieces, one after the other; each piece but a section's first begins with the end of the one before. */
export function* cutPieces(sections: Iterable<Section>): Generator<Piece> {
  for (const { heading, text } of sections) {
    const whole = text.trim();
    let start = 0;
    while (start < whole.length) {
      const end = whole.length - start <= pieceChars ? whole.length : endOf(whole, start);
      const piece = whole.slice(start, end).trim();
      if (piece !== "") yield { heading: cut(heading, headingChars), text: piece };
      start = end === whole.length ? end : overlapOf(whole, start, end);
    }
  }
}

/** The beginning of a text, and never half a character. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, whole(text, most));
}

function endOf(text: string, start: number): number {
  const from = start + Math.floor(pieceChars * (1 - LAST_SHARE));
  const last = text.slice(from, start + pieceChars);
  for (const place of PLACES) {
    const found = [...last.matchAll(place)].at(-1);
    if (found !== undefined) return from + found.index + found[0].length;
  }
  return whole(text, start + pieceChars);
}

/** Where the next piece begins: at a word of the end of the last one, and behind where that one began. */
function overlapOf(text: string, start: number, end: number): number {
  const from = Math.max(start + 1, end - overlapChars);
  const space = /[\s。！？]/.exec(text.slice(from, end));
  return space === null ? whole(text, from) : from + space.index + 1;
}

/** The same place, or the one before where it would part a surrogate pair. */
function whole(text: string, at: number): number {
  return /[\ud800-\udbff]/.test(text[at - 1] ?? "") && /[\udc00-\udfff]/.test(text[at] ?? "") ? at - 1 : at;
}

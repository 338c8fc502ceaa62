import { patternOf } from "./text-pattern.ts";

/** Words of the page itself between those of the conversation. */
const OF_THE_PAGE = "button:not(th button), time, h2, summary, .sr-only, [role=status]";
const BLOCK = "p, li, td, th, h3, pre, figcaption, dt, dd, blockquote";

/**
 * Where a text stands in what an element shows, from its beginning on. Capitals, kinds of space, and whether an accent is a
 * character of its own make no difference.
 */
export function textPlaces(root: HTMLElement, text: string): readonly TextPlace[] {
  const pattern = patternOf(text);
  if (pattern === undefined) return [];
  const pieces = piecesIn(root);
  const whole = pieces.map(({ value }) => value).join("");
  const placeAt = placesIn(pieces);
  return [...whole.matchAll(pattern)].flatMap(({ index, 0: { length } }) => {
    const [from, to] = [placeAt(index), placeAt(index + length - 1)];
    return from === undefined || to === undefined ? [] : [{ from, to }];
  });
}

/** Where a text stands, the places of its first and last character. Unlike a range the browser has nothing to keep up with it. */
export interface TextPlace {
  readonly from: CharacterPlace;
  readonly to: CharacterPlace;
}

interface CharacterPlace {
  readonly node: Text;
  readonly offset: number;
}

/** The range of a place. */
export function rangeOf({ from, to }: TextPlace): Range {
  const range = new Range();
  range.setStart(from.node, from.offset);
  range.setEnd(to.node, to.offset + 1);
  return range;
}

/** The places next to the one at which a range begins, or next to the last, at most so many. */
export function placesAround(
  places: readonly TextPlace[],
  range: Range | undefined,
  most: number,
): readonly TextPlace[] {
  if (places.length <= most) return places;
  const at = places.findIndex(({ from }) => from.node === range?.startContainer && from.offset === range.startOffset);
  const begin = Math.max(0, Math.min((at === -1 ? places.length : at) - most / 2, places.length - most));
  return places.slice(begin, begin + most);
}

/** A stretch of text; without a node it only keeps blocks apart. */
interface Piece {
  readonly node: Text | undefined;
  readonly value: string;
}

function piecesIn(root: HTMLElement): readonly Piece[] {
  const pieces: Piece[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let block: Element | null = null;
  for (let node = walker.nextNode() as Text | null; node !== null; node = walker.nextNode() as Text | null) {
    const parent = node.parentElement;
    if (parent === null || parent.closest(OF_THE_PAGE) !== null || !parent.checkVisibility()) continue;
    const own = parent.closest(BLOCK);
    if (own !== block) pieces.push({ node: undefined, value: "\n" });
    block = own;
    pieces.push({ node, value: node.data });
  }
  return pieces;
}

/** Finds the places of positions that grow, each piece looked at once: a page has many pieces, and as many matches. */
function placesIn(pieces: readonly Piece[]): (index: number) => CharacterPlace | undefined {
  let [at, before] = [0, 0];
  return (index) => {
    for (let piece = pieces[at]; piece !== undefined; piece = pieces[at]) {
      if (index < before + piece.value.length) {
        return piece.node === undefined ? undefined : { node: piece.node, offset: index - before };
      }
      before += piece.value.length;
      at++;
    }
    return undefined;
  };
}

import { patternOf } from "./text-pattern.ts";

/** Words of the page itself between those of the conversation. */
const OF_THE_PAGE = "button:not(th button), time, h2, summary, .sr-only, [role=status]";
const BLOCK = "p, li, td, th, h3, pre, figcaption, dt, dd, blockquote";

/**
 * Where a text stands in what an element shows, from its beginning on. Capitals, kinds of space, and whether an accent is a
 * character of its own make no difference.
 */
export function textRanges(root: HTMLElement, text: string): readonly Range[] {
  const pattern = patternOf(text);
  if (pattern === undefined) return [];
  const pieces = piecesIn(root);
  const whole = pieces.map(({ value }) => value).join("");
  const placeAt = placesIn(pieces);
  return [...whole.matchAll(pattern)].flatMap(({ index, 0: { length } }) => {
    const [from, to] = [placeAt(index), placeAt(index + length - 1)];
    if (from === undefined || to === undefined) return [];
    const range = new Range();
    range.setStart(from.node, from.offset);
    range.setEnd(to.node, to.offset + 1);
    return [range];
  });
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
function placesIn(
  pieces: readonly Piece[],
): (index: number) => { readonly node: Text; readonly offset: number } | undefined {
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

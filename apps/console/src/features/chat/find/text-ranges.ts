/** Words of the page itself between those of the conversation. */
const OF_THE_PAGE = "button:not(th button), time, h2, summary, .sr-only, [role=status]";
const BLOCK = "p, li, td, th, h3, pre, figcaption, dt, dd, blockquote";

/** Where a text stands in what an element shows, from its beginning on; capitals and kinds of space make no difference. */
export function textRanges(root: HTMLElement, text: string): readonly Range[] {
  const wanted = text.trim();
  if (wanted === "") return [];
  const pieces = piecesIn(root);
  const whole = pieces.map(({ value }) => value).join("");
  const escaped = wanted.split(/\s+/).map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  return [...whole.matchAll(new RegExp(escaped.join("\\s+"), "giu"))].flatMap(({ index, 0: { length } }) => {
    const [from, to] = [placeAt(pieces, index), placeAt(pieces, index + length - 1)];
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

function placeAt(
  pieces: readonly Piece[],
  index: number,
): { readonly node: Text; readonly offset: number } | undefined {
  let before = 0;
  for (const { node, value } of pieces) {
    if (index < before + value.length) return node === undefined ? undefined : { node, offset: index - before };
    before += value.length;
  }
  return undefined;
}

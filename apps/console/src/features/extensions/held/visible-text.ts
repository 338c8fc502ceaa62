/** Characters that people do not see and models read, made visible: they could carry instructions that were never approved (M8). */

/** What Unicode calls ignorable, controls but for tab and line feed, other format characters, what is private or not assigned. */
const INVISIBLE = /(?:(?![\t\n])[\p{Default_Ignorable_Code_Point}\p{C}\p{Zl}\p{Zp}\u2800])+/gu;
/** Code points that one piece names; the rest are a number. */
const NAMED = 8;

/** A piece of a text: words, or the code points of characters that are not seen, such as `U+202E U+2066`. */
export type VisiblePiece = { readonly text: string } | { readonly invisible: string };

/** The pieces of a text in their order. */
export function visiblePieces(text: string): readonly VisiblePiece[] {
  const pieces: VisiblePiece[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(INVISIBLE)) {
    // The end of a line is seen.
    if (found === "\r" && text[index + 1] === "\n") continue;
    if (index > from) pieces.push({ text: text.slice(from, index) });
    pieces.push({ invisible: codePoints(found) });
    from = index + found.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

function codePoints(text: string): string {
  const points = [...text];
  const named = points.slice(0, NAMED).map((point) => {
    const code = (point.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return `U+${code.padStart(4, "0")}`;
  });
  return points.length > NAMED ? `${named.join(" ")} and ${points.length - NAMED} more` : named.join(" ");
}

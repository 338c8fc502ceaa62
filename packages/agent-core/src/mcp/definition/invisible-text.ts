/** Characters that people do not see and models read: they could carry instructions that nobody approved (M8). */
import type { JsonObject, JsonValue } from "../../json/index.ts";

/**
 * What Unicode calls ignorable (zero width, direction, tags, variants, fillers), controls but for tab and line feed,
 * other format characters, what is private or not assigned, halves of characters, line separators, the empty Braille cell.
 */
const INVISIBLE = /(?![\t\n])[\p{Default_Ignorable_Code_Point}\p{C}\p{Zl}\p{Zp}\u2800]/gu;
const ASCII = /^[\t\n -~]*$/;

/** The text without them, for the model. A carriage return and a separator of lines become a line feed. */
export function withoutInvisible(text: string): string {
  if (ASCII.test(text)) return text;
  return text.replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n").replace(INVISIBLE, "");
}

/** Every text of a value, names of members too, without them. */
export function withoutInvisibleIn(value: JsonValue): JsonValue {
  if (typeof value === "string") return withoutInvisible(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one: JsonValue) => withoutInvisibleIn(one));
  const members = Object.entries(value as JsonObject).flatMap(([name, member]) =>
    member === undefined ? [] : [[withoutInvisible(name), withoutInvisibleIn(member)] as const],
  );
  return Object.fromEntries(members);
}

/** A piece of a text as people are shown it. */
export type TextPiece =
  | { readonly text: string }
  | {
      /** The code points, such as `U+202E U+2066`. */
      readonly invisible: string;
    };

/** Code points that one piece names; the rest are a number. */
const NAMED = 8;

/** A text in pieces, in which what cannot be seen is named, so that a page can draw it. */
export function textPieces(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const found of text.matchAll(new RegExp(`(?:${INVISIBLE.source})+`, "gu"))) {
    // A line's end is seen.
    if (/^\r?$/.test(found[0]) && text[found.index + 1] === "\n") continue;
    if (found.index > from) pieces.push({ text: text.slice(from, found.index) });
    pieces.push({ invisible: codePoints(found[0]) });
    from = found.index + found[0].length;
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

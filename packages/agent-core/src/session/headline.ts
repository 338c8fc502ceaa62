/** Characters of a title by a model. */
const MAX_CHARS = 80;
/** Characters of an answer that are looked at. */
const READ_CHARS = 1_000;

const QUOTES = "\"'`´“”„‟‘’‚‛«»‹›「」『』*_";
/** Quotes and marks of Markdown around a text, and the full stop behind it. */
const AROUND = new RegExp(`^[\\s${QUOTES}#]+|[\\s${QUOTES}.。]+$`, "gu");
const EMPHASIS = /\*\*|__|`/g;
const LABEL = /^(?:title|titel|titre|título)\s*[:：]/i;
/** Controls, marks that turn the direction of text, and characters without a width. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu;

/** A model's answer as a title: its first line with text, plain and bounded. Undefined: it holds none. */
export function headlineOf(answer: string): string | undefined {
  const lines = answer.slice(0, READ_CHARS).split(/[\r\n\u2028\u2029]/);
  for (const line of lines) {
    const text = line
      .replace(UNSEEN, " ")
      .replace(AROUND, "")
      .replace(LABEL, "")
      .replace(AROUND, "")
      .replaceAll(EMPHASIS, "")
      .replaceAll(/\s+/g, " ");
    if (/[\p{L}\p{N}]/u.test(text)) return cut(text);
  }
  return undefined;
}

function cut(text: string): string {
  const signs = [...text];
  if (signs.length <= MAX_CHARS) return text;
  const start = signs.slice(0, MAX_CHARS - 1).join("");
  const space = start.lastIndexOf(" ");
  return `${space > MAX_CHARS / 2 ? start.slice(0, space) : start}…`;
}

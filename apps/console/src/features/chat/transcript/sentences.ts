/** The end of a sentence: its mark with closing quotes or brackets, before white space; or a line break alone. */
const END = /[.!?…]["')\]]*\s|\n/;

/**
 * Returns the complete sentences of a growing text from the offset `from` on, and the offset of the next one. `over`: the
 * text will not grow any more, so its rest is complete too.
 */
export function sentencesFrom(
  text: string,
  from: number,
  over: boolean,
): { readonly sentences: string; readonly next: number } {
  if (over) return { sentences: text.slice(from).trim(), next: text.length };
  let next = from;
  for (let found = END.exec(text.slice(next)); found !== null; found = END.exec(text.slice(next))) {
    next += found.index + found[0].length;
  }
  return { sentences: text.slice(from, next).trim(), next };
}

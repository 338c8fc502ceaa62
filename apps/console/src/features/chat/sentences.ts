/** The end of a sentence, with what may stand behind the mark, before a space or line break; or a break alone. */
const END = /[.!?…]["')\]]*\s|\n/;

/**
 * Cuts what is whole off a text that grows: the sentences from `from` on that have ended, and where the next one
 * begins. `over`: the text is complete, so the rest is whole too.
 */
export function sentencesFrom(
  text: string,
  from: number,
  over: boolean,
): { readonly spoken: string; readonly next: number } {
  if (over) return { spoken: text.slice(from).trim(), next: text.length };
  let next = from;
  for (let found = END.exec(text.slice(next)); found !== null; found = END.exec(text.slice(next))) {
    next += found.index + found[0].length;
  }
  return { spoken: text.slice(from, next).trim(), next };
}

/** A refusal of the engine's as people read it here: a sentence. Names in other signs than letters stay as they begin. */
export function asSentence(text: string): string {
  const [word = ""] = text.split(" ", 1);
  const begun = /^[a-z]+$/.test(word) ? text.slice(0, 1).toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

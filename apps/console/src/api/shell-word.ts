/** A text as one word of a POSIX shell, which takes it as it stands. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

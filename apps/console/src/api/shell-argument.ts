/** Quotes a text as one argument of a POSIX shell. */
export function shellArgument(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

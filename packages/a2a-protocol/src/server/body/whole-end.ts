/** The last index up to `end` at which a text can be cut without splitting a surrogate pair. */
export function wholeEnd(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

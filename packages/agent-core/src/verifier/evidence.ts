/** Bytes of evidence that are kept. */
export const EVIDENCE_BYTES = 8_192;

/** The beginning and the end of a text that is longer than so many bytes. */
export function cutEvidence(text: string, bytes: number): string {
  const all = Buffer.from(text.toWellFormed());
  if (all.length <= bytes) return all.toString();
  const gap = "\n[…]\n";
  const room = bytes - Buffer.byteLength(gap);
  const head = Math.floor(room / 3);
  // Half a character at either side becomes a mark of three bytes, which may not exceed the bound.
  const first = all
    .subarray(0, head)
    .toString()
    .replace(/\uFFFD$/u, "");
  const last = all
    .subarray(all.length - (room - head))
    .toString()
    .replace(/^\uFFFD+/u, "");
  return `${first}${gap}${last}`;
}

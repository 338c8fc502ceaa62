/**
 * What finds a text, as the service counts it: capitals, kinds of space, and whether an accent is a character of its own make
 * no difference. Undefined for a blank text.
 */
export function patternOf(text: string): RegExp | undefined {
  const wanted = text.trim();
  if (wanted === "") return undefined;
  const forms = new Set([wanted.normalize("NFC"), wanted.normalize("NFD")]);
  // A letter that has an accent is another one.
  return new RegExp(`(?:${[...forms].map(escaped).join("|")})(?![\\u0300-\\u036f])`, "giu");
}

function escaped(text: string): string {
  const words = text.split(/\s+/);
  return words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join(String.raw`\s+`);
}

const NAMED: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** Characters of a text that are looked at. */
const MOST_CHARS = 10_000;

function character(whole: string, name: string): string {
  const digits = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/i.exec(name);
  if (digits === null) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? whole) : whole;
  const code = digits[1] === undefined ? Number(digits[2]) : Number.parseInt(digits[1], 16);
  return code > 0x10_ffff ? whole : String.fromCodePoint(code);
}

/** The text of a short piece of HTML such as a snippet: tags dropped, the common character references read, once. */
export function markupToText(markup: string): string {
  return markup
    .slice(0, MOST_CHARS)
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replace(/&(#?[a-z0-9]{1,8});/gi, character);
}

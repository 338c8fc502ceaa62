/** Replacing a text in another, to the letter (F8): nothing is matched that is only similar. */

export interface TextEdit {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all: boolean;
}

export type ReplacedText =
  | { readonly ok: true; readonly text: string }
  /** What the model reads. */
  | { readonly ok: false; readonly why: string };

/** Places that a refusal names, and lines that are shown as near. */
const NAMED = 10;
const NEAR = 3;
/** Lines that are compared to find near ones, and characters of each. */
const MOST_LINES = 10_000;
const LINE_CHARS = 200;

/** In a file whose lines all end in CRLF, both texts are read as CRLF. */
export function replaceText(content: string, { old_string, new_string, replace_all }: TextEdit): ReplacedText {
  if (old_string === new_string) return { ok: false, why: "old_string and new_string are the same" };
  const adapt = endsInCrLf(content) ? (text: string) => text.replaceAll(/\r?\n/g, "\r\n") : (text: string) => text;
  const [wanted, replacement] = [adapt(old_string), adapt(new_string)];
  const places = occurrences(content, wanted);
  if (places.length === 0) return { ok: false, why: `old_string does not occur.${nearLines(content, old_string)}` };
  if (places.length > 1 && !replace_all) {
    const lines = places.slice(0, NAMED).map((at) => lineAt(content, at));
    const more = places.length > NAMED ? ", …" : "";
    const why = `old_string occurs ${places.length} times (lines ${lines.join(", ")}${more}): give more of what is around it, or replace_all`;
    return { ok: false, why };
  }
  return { ok: true, text: content.split(wanted).join(replacement) };
}

function endsInCrLf(content: string): boolean {
  return content.includes("\r\n") && !/(?<!\r)\n/.test(content);
}

/** Where it occurs, without overlaps. */
function occurrences(content: string, wanted: string): readonly number[] {
  const places: number[] = [];
  for (let at = content.indexOf(wanted); at !== -1; at = content.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

function lineAt(content: string, at: number): number {
  let line = 1;
  for (let end = content.indexOf("\n"); end !== -1 && end < at; end = content.indexOf("\n", end + 1)) line++;
  return line;
}

/** The lines that have most words of the longest line of `wanted`. */
function nearLines(content: string, wanted: string): string {
  const longest = wanted
    .split("\n")
    .reduce((most, line) => (line.trim().length > most.trim().length ? line : most), "");
  const words = new Set(wordsOf(longest));
  if (words.size === 0) return "";
  const near = content
    .split("\n", MOST_LINES)
    .map((line, index) => ({ line, number: index + 1, shared: sharedWords(line, words) }))
    .filter(({ shared }) => shared * 2 >= words.size)
    .sort((a, b) => b.shared - a.shared || a.number - b.number)
    .slice(0, NEAR)
    .sort((a, b) => a.number - b.number);
  const shown = near.map(({ line, number }) => `${number}\t${line.replace(/\r$/, "").slice(0, LINE_CHARS)}`);
  return shown.length === 0 ? "" : ` The nearest lines:\n${shown.join("\n")}`;
}

function sharedWords(line: string, words: ReadonlySet<string>): number {
  return new Set(wordsOf(line).filter((word) => words.has(word))).size;
}

function wordsOf(line: string): readonly string[] {
  return line.slice(0, LINE_CHARS).match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

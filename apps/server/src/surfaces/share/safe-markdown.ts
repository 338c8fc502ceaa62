import { setImmediate } from "node:timers/promises";

/** Characters read as Markdown at a time; a longer text is read in pieces that end at empty lines. */
const MAX_PIECE = 8 * 1024;
/** Lines of a piece: each that begins a block costs more than the one before. */
const MAX_LINES = 500;
/** Quotes and lists in each other on one line: the parser takes ever longer for each. */
const TOO_NESTED = /^[ \t]*(?:(?:[-+*>]|\d{1,9}[.)])[ \t]*){12}/m;
/** Markers of links in a piece, and of anything else, for the same reason. */
const MAX_LINKS = 300;
const MAX_MARKERS = 1_000;

/** A text of somebody as static HTML. Long ones are read piece by piece, so that they hold nothing else up. */
export async function markdownHtml(text: string): Promise<string> {
  const html: string[] = [];
  for (const piece of piecesOf(text)) {
    html.push(await safeMarkdown(piece));
    await setImmediate();
  }
  return html.join("\n");
}

/**
 * A text as static HTML: Markdown where it is of an ordinary size and form, else a paragraph as it is. Tags in it are
 * shown as text, links lead to web and mail addresses only, and images are links: a page loads nothing.
 */
export async function safeMarkdown(text: string): Promise<string> {
  if (text.length > MAX_PIECE || TOO_NESTED.test(text) || isDense(text)) return plainText(text);
  // A tenth of the service's code: loaded with the first page, not with every start.
  const { parseMarkdown } = await import("./parse-markdown.ts");
  return parseMarkdown(text);
}

/** Pieces of a text, divided at empty lines that are in no block of code. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  let piece: string[] = [];
  let length = 0;
  let fenced = false;
  for (const line of text.split("\n")) {
    if (/^ {0,3}(?:```|~~~)/.test(line)) fenced = !fenced;
    if (!fenced && line.trim() === "" && (length > MAX_PIECE / 2 || piece.length > MAX_LINES / 2)) {
      pieces.push(piece.join("\n"));
      piece = [];
      length = 0;
    }
    piece.push(line);
    length += line.length + 1;
  }
  return [...pieces, piece.join("\n")];
}

/** True where there are so many markers that the parser would hold the service up. */
function isDense(text: string): boolean {
  let links = 0;
  let others = 0;
  let lines = 0;
  for (const one of text) {
    if (one === "\n") lines++;
    else if (one === "[" || one === "@") links++;
    else if ("*_~`<&>\\".includes(one)) others++;
  }
  return links > MAX_LINKS || others > MAX_MARKERS || lines > MAX_LINES;
}

/** A text with its line breaks, as it is: neither Markdown nor HTML in it has an effect. */
function plainText(text: string): string {
  return `<p class="plain">${escaped(text)}</p>`;
}

/** A text in an element or in an attribute between double quotes. */
export function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

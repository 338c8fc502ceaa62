import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/** Elements inside elements that are kept: what parsers and readers do with more takes time by the square of it, or their stack. */
const MOST_NESTED = 256;

/** The same of elements of which each moves its lines to the right. */
const MOST_INDENTED = 32;
const INDENTING: ReadonlySet<string> = new Set(["ul", "ol", "li", "dl", "dd", "blockquote"]);

/** They contain nothing. */
const VOID: ReadonlySet<string> = new Set(
  "area base basefont br col embed frame hr img input link meta param source track wbr".split(" "),
);
/** What they contain is no markup, and would be without their tags. */
const RAW: ReadonlySet<string> = new Set(
  "script style title textarea iframe noembed noframes noscript plaintext xmp".split(" "),
);

/** Which elements are closed by the beginning of another one, as the parser of documents does it. */
const IMPLIED: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    ["tr", "tr th td"],
    ["th", "th"],
    ["td", "thead th td"],
    ["body", "head link script"],
    ["li", "li"],
    ["option", "option"],
    ["optgroup", "optgroup option"],
    ["select input output button datalist textarea", "input option optgroup select button datalist textarea"],
    ["dd dt", "dd dt"],
    ["rt rp", "rt rp"],
    ["tbody tfoot", "thead tbody"],
    [
      "p h1 h2 h3 h4 h5 h6 address article aside blockquote details div dl fieldset figcaption figure footer form header hr main nav ol pre section table ul",
      "p",
    ],
  ].flatMap(([openings = "", closed = ""]) =>
    openings.split(" ").map((name) => [name, new Set(closed.split(" "))] as const),
  ),
);

/**
 * A page without the tags of elements that are nested too deeply; their text stays. It takes time by the length of the page,
 * whatever its tags are, and a page that is no deeper stays as it is.
 */
export function boundedNesting(html: string): string {
  const nesting = new Nesting(html);
  const tokens = new Tokenizer({ xmlMode: false, decodeEntities: false }, nesting);
  tokens.write(html);
  tokens.end();
  return nesting.kept();
}

/** Follows the tags of a page as the parser would. */
class Nesting implements TokenizerCallbacks {
  readonly #html: string;
  /** Elements that are open, the innermost last. */
  readonly #open: string[] = [];
  #indented = 0;
  /** How many elements of a name were left out inside of those, and are open. */
  readonly #leftOut = new Map<string, number>();
  readonly #parts: string[] = [];
  #copied = 0;
  /** Where the tag begins that is read, and its name. */
  #from = 0;
  #name = "";

  constructor(html: string) {
    this.#html = html;
  }

  kept(): string {
    return this.#copied === 0 ? this.#html : this.#parts.join("") + this.#html.slice(this.#copied);
  }

  onopentagname(start: number, end: number): void {
    this.#from = start - 1;
    this.#name = this.#html.slice(start, end).toLowerCase();
  }

  onopentagend(end: number): void {
    const name = this.#name;
    const closed = IMPLIED.get(name);
    if (closed !== undefined)
      for (let last = this.#open.at(-1); last !== undefined && closed.has(last); last = this.#open.at(-1))
        this.#close();
    if (VOID.has(name)) return;
    const indents = INDENTING.has(name);
    const isTooDeep = this.#open.length >= MOST_NESTED || (indents && this.#indented >= MOST_INDENTED);
    if (!isTooDeep || RAW.has(name)) {
      this.#open.push(name);
      if (indents) this.#indented++;
      return;
    }
    this.#leftOut.set(name, (this.#leftOut.get(name) ?? 0) + 1);
    this.#leaveOut(this.#from, end + 1);
  }

  onselfclosingtag(end: number): void {
    this.onopentagend(end);
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    const leftOut = this.#leftOut.get(name) ?? 0;
    if (leftOut > 0) {
      this.#leftOut.set(name, leftOut - 1);
      const behind = this.#html.indexOf(">", end);
      this.#leaveOut(start - 2, behind < 0 ? this.#html.length : behind + 1);
      return;
    }
    const at = this.#open.lastIndexOf(name);
    while (at >= 0 && this.#open.length > at) this.#close();
  }

  #close(): void {
    if (INDENTING.has(this.#open.pop() ?? "")) this.#indented--;
    this.#leftOut.clear();
  }

  #leaveOut(from: number, to: number): void {
    // One space for tags in a row: long runs of them are slow to read too.
    if (from > this.#copied || from === 0) this.#parts.push(this.#html.slice(this.#copied, from), " ");
    this.#copied = to;
  }

  onattribdata(): void {}
  onattribentity(): void {}
  onattribend(): void {}
  onattribname(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}
  ontext(): void {}
  ontextentity(): void {}
}

/**
 * Reads XML from its start to its end, without a tree. Names are given without their prefix. Nothing is declared or fetched: of
 * entities only the five of XML and numbers are known, so that none can be multiplied.
 */
export type XmlPart =
  | { readonly kind: "open"; readonly name: string; attribute(name: string): string | undefined }
  | { readonly kind: "close"; readonly name: string }
  | { readonly kind: "text"; readonly text: string };

const TAG = (): RegExp => /<(\/?)([^\s/>"'=]+)((?:[^>"']|"[^"]*"|'[^']*')*)>/y;
const ENTITIES: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The parts in their order. An element without content opens and closes. */
export function* xmlParts(text: string): Generator<XmlPart> {
  const pattern = TAG();
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf("<", at);
    const end = start < 0 ? text.length : start;
    if (end > at) yield { kind: "text", text: withEntities(text.slice(at, end)) };
    if (start < 0) return;
    if (text.startsWith("<!--", start)) at = behind(text, "-->", start + 4);
    else if (text.startsWith("<![CDATA[", start)) {
      at = behind(text, "]]>", start + 9);
      yield { kind: "text", text: text.slice(start + 9, Math.max(start + 9, at - 3)) };
    } else if (text.startsWith("<?", start)) at = behind(text, "?>", start + 2);
    else if (text.startsWith("<!", start)) at = behindDeclaration(text, start);
    else {
      pattern.lastIndex = start;
      const tag = pattern.exec(text);
      // No tag ends here any more, or it is none.
      if (tag === null && !text.includes(">", start)) return;
      at = tag === null ? start + 1 : start + tag[0].length;
      if (tag !== null) yield* elementOf(tag);
    }
  }
}

function* elementOf([, slash, full = "", attributes = ""]: RegExpExecArray): Generator<XmlPart> {
  const name = full.slice(full.indexOf(":") + 1);
  if (slash === "/") return yield { kind: "close", name };
  yield { kind: "open", name, attribute: (wanted) => attributeOf(attributes, wanted) };
  if (attributes.endsWith("/")) yield { kind: "close", name };
}

function attributeOf(attributes: string, wanted: string): string | undefined {
  for (const [, full = "", , double, single] of attributes.matchAll(/([^\s=/"']+)\s*=\s*("([^"]*)"|'([^']*)')/g))
    if (full === wanted || full.slice(full.indexOf(":") + 1) === wanted) return withEntities(double ?? single ?? "");
  return undefined;
}

function behind(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + mark.length;
}

/** A document type may have declarations of its own, in brackets. */
function behindDeclaration(text: string, start: number): number {
  const end = text.indexOf(">", start);
  const bracket = text.indexOf("[", start);
  return bracket >= 0 && bracket < end ? behind(text, "]>", bracket) : behind(text, ">", start);
}

function withEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]{2,4}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? whole) : whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0x10ffff || code === 0 ? "\ufffd" : String.fromCodePoint(code).toWellFormed();
  });
}

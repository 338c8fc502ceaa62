/** What a document is: by its content before its name, by its name before what was declared. */

export type DocumentType =
  | "text"
  | "markdown"
  | "html"
  | "pdf"
  | "csv"
  | "json"
  | "docx"
  | "pptx"
  | "xlsx"
  | "odt"
  | "epub";

/** `zip` and `ole`: what it is shows only inside. */
export type Container = DocumentType | "zip" | "ole";

const ENDINGS: { readonly [ending: string]: DocumentType } = {
  ...{ md: "markdown", markdown: "markdown", mdx: "markdown", html: "html", htm: "html", xhtml: "html" },
  ...{ csv: "csv", tsv: "csv", json: "json", jsonl: "json", ndjson: "json" },
};

const DECLARED: { readonly [type: string]: DocumentType } = {
  ...{ "text/markdown": "markdown", "text/x-markdown": "markdown", "text/html": "html" },
  ...{ "application/xhtml+xml": "html", "text/csv": "csv", "text/tab-separated-values": "csv" },
  ...{ "application/json": "json", "application/x-ndjson": "json" },
};

/** Bytes at the start that are looked at. */
const LOOKED_AT = 4_096;

/** Undefined: nothing that is read here, such as a picture. */
export function containerOf(bytes: Uint8Array, name: string, mediaType: string): Container | undefined {
  const first = bytes.subarray(0, LOOKED_AT);
  const start = Buffer.from(first).toString("latin1");
  // A PDF may have a little before it; readers take the first kilobyte for it.
  if (start.slice(0, 1_024).includes("%PDF-")) return "pdf";
  if (start.startsWith("PK\x03\x04") || start.startsWith("PK\x05\x06")) return "zip";
  if (start.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) return "ole";
  if (!isText(first)) return undefined;
  if (/^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!doctype html|<html[\s>])/i.test(start)) return "html";
  const ending = /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase();
  const declared = mediaType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return (ending === undefined ? undefined : own(ENDINGS, ending)) ?? own(DECLARED, declared) ?? "text";
}

function own<T>(table: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** Bytes that no text has: controls but tabulators, line ends and escape. */
const BINARY = (byte: number): boolean => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b;

/** UTF-16 with a byte order mark has NUL bytes, and is text. */
function isText(start: Uint8Array): boolean {
  const [first, second] = start;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isMarked || !start.some(BINARY);
}

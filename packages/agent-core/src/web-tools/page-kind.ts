/** What a body is, as far as reading it goes. */
export type PageKind = "html" | "pdf" | "text";

const TEXT_TYPES =
  /^(?:text\/[\w.+-]+|application\/(?:json|xml|javascript|ecmascript|yaml|x-yaml|toml|x-ndjson|x-sh|sql|[\w.-]+\+(?:json|xml|yaml)))$/;

function sniffed(body: Uint8Array): PageKind | undefined {
  const start = Buffer.from(body.subarray(0, 1_024)).toString("latin1").trimStart();
  if (start.startsWith("%PDF-")) return "pdf";
  if (/^(?:<!doctype html|<html[\s>])/i.test(start)) return "html";
  return start.includes("\0") ? undefined : "text";
}

/** The media type without parameters, in lower case; blank when there is none. */
export function mediaType(contentType: string | undefined): string {
  return (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** Decides by the declared type, and by the first bytes where nothing useful is declared; undefined: not readable. */
export function pageKind(contentType: string | undefined, body: Uint8Array): PageKind | undefined {
  const type = mediaType(contentType);
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (type === "application/pdf" || type === "application/x-pdf") return "pdf";
  if (type === "" || type === "application/octet-stream") return sniffed(body);
  return TEXT_TYPES.test(type) ? "text" : undefined;
}

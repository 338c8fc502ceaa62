/** Readers of pages, for threads: their libraries are loaded at the first use. */
import type { PageText, PdfLimits, PdfText } from "./page-text.ts";

/** The readable part of a page as Markdown; see `html-to-markdown.ts`. */
export async function htmlToMarkdown(html: string, url: string): Promise<PageText> {
  return (await import("./html-to-markdown.ts")).htmlToMarkdown(html, url);
}

/** The text of a PDF; see `pdf-to-text.ts`. */
export async function pdfToText(bytes: Uint8Array, limits?: PdfLimits): Promise<PdfText> {
  return (await import("./pdf-to-text.ts")).pdfToText(bytes, limits);
}

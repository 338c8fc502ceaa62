/** Runs in a thread of its own. */
import { getDocumentProxy, getMeta } from "unpdf";
import type { PdfLimits, PdfPages, PdfText } from "./page-text.ts";

/** A page of the size of a book's has some 3,000 characters. */
const LIMITS: PdfLimits = { pages: 2_000, characters: 4_000_000 };

/** The texts of a PDF's pages, up to its limits. Rejects when it is damaged or needs a password. */
export async function pdfPages(bytes: Uint8Array, limits: PdfLimits = LIMITS): Promise<PdfPages> {
  // Silent: its warnings would be lines of the service's own output.
  const document = await getDocumentProxy(bytes, { verbosity: 0 });
  const { numPages: pages } = document;
  const texts: string[] = [];
  let characters = 0;
  while (texts.length < Math.min(pages, limits.pages) && characters < limits.characters) {
    const page = await document.getPage(texts.length + 1);
    const { items } = await page.getTextContent();
    const text = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
    page.cleanup();
    texts.push(text);
    characters += text.length;
  }
  const { info } = await getMeta(document);
  const { Title: title } = info as { readonly Title?: unknown };
  return { title: typeof title === "string" ? title : "", texts, pages };
}

/** The text of a PDF, page after page, up to its limits. Rejects when it is damaged or needs a password. */
export async function pdfToText(bytes: Uint8Array, limits?: PdfLimits): Promise<PdfText> {
  const { title, texts, pages } = await pdfPages(bytes, limits);
  return { title, text: texts.join("\n\n").trim(), pages, pagesRead: texts.length };
}

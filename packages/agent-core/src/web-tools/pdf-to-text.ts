/** Runs in the page thread. */
import { extractText, getDocumentProxy, getMeta } from "unpdf";
import type { PageText } from "./page-message.ts";

/** The text of a PDF, page after page. Rejects when it is damaged or needs a password. */
export async function pdfToText(bytes: Uint8Array): Promise<PageText> {
  // Silent: its warnings would be lines of the service's own output.
  const document = await getDocumentProxy(bytes, { verbosity: 0 });
  const { text } = await extractText(document, { mergePages: false });
  const { info } = await getMeta(document);
  const { Title: title } = info as { readonly Title?: unknown };
  return { title: typeof title === "string" ? title : "", text: text.join("\n\n").trim() };
}

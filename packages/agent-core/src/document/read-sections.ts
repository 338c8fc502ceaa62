/** Runs in the document thread: the text of a document, by sections. Throws `DocumentError`. */
import { decodeText } from "./decode-text.ts";
import { DocumentError } from "./document-error.ts";
import type { DocumentInput, DocumentText, Section } from "./document-message.ts";
import { containerOf } from "./document-type.ts";
import { markdownSections } from "./markdown-sections.ts";

export async function readSections(input: DocumentInput): Promise<DocumentText> {
  const { bytes, name, mediaType, url } = input;
  const container = containerOf(bytes, name, mediaType);
  const text = (): string => decodeText(bytes, mediaType);
  switch (container) {
    case "pdf":
      return pdf(bytes);
    case "html": {
      const page = (await import("./html-to-markdown.ts")).htmlToMarkdown(text(), url || "http://document.invalid/");
      const { title, sections } = markdownSections(page.text);
      return { type: "html", title: page.title || title, sections };
    }
    case "markdown":
      return { type: "markdown", ...markdownSections(text()) };
    case "text":
    case "csv":
    case "json":
      return { type: container, title: "", sections: [{ heading: "", text: text().replaceAll(/\r\n?/g, "\n") }] };
    case "zip":
      return (await import("./read-office.ts")).readOffice(bytes);
    case "ole":
      // An encrypted document of today lies in a container of the old format; what else does is of the old format itself.
      if (Buffer.from(bytes).includes(Buffer.from("EncryptedPackage", "utf16le")))
        throw new DocumentError("document.encrypted", "the document needs a password");
      throw new DocumentError("document.unsupported", "documents of old Office formats cannot be read: save it anew");
    default:
      throw new DocumentError("document.unsupported", "a document of this type cannot be read");
  }
}

async function pdf(bytes: Uint8Array): Promise<DocumentText> {
  const { pdfPages } = await import("./pdf-to-text.ts");
  const read = await pdfPages(bytes).catch((error: unknown) => {
    // Its copy in the library has a class of its own.
    if ((error as Error | undefined)?.name === "PasswordException")
      throw new DocumentError("document.encrypted", "the PDF needs a password");
    throw new DocumentError("document.unreadable", "the PDF is damaged");
  });
  if (read.texts.length < read.pages)
    throw new DocumentError("document.too-large", "the PDF has more text than one document may have");
  const sections = read.texts.map((text, i): Section => ({ heading: `page ${i + 1}`, text }));
  return { type: "pdf", title: read.title, sections };
}

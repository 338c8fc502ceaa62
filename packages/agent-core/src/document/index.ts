export { cut as cutText } from "./cut-pieces.ts";
export { decodeText } from "./decode-text.ts";
export { DocumentError, type DocumentErrorCode } from "./document-error.ts";
export { DOCUMENT_LIMITS } from "./document-limits.ts";
export type { DocumentInput, Piece } from "./document-message.ts";
export { type ReadDocument, readDocument } from "./document-reader.ts";
export type { DocumentType } from "./document-type.ts";
export { htmlToMarkdown, pdfToText } from "./page-readers.ts";
export type { PageText, PdfLimits, PdfText } from "./page-text.ts";

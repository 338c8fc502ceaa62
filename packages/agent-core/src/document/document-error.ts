import { CodedError } from "../error/index.ts";

/**
 * Why a document is not read; the message may be shown to anyone.
 * - `document.empty`: it holds no text.
 * - `document.encrypted`: it needs a password.
 * - `document.unreadable`: it is damaged, or not what it seems.
 * - `document.unsupported`: it is of a type that is not read.
 * - `document.too-large`: it, what it unpacks to, or its text is beyond the bounds.
 * - `document.slow`: reading it took too long.
 */
export type DocumentErrorCode =
  | "document.empty"
  | "document.encrypted"
  | "document.unreadable"
  | "document.unsupported"
  | "document.too-large"
  | "document.slow";

/** A document that is not read. */
export class DocumentError extends CodedError<DocumentErrorCode> {
  override readonly name = "DocumentError";
}

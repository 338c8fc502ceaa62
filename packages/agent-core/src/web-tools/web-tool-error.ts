/** What kept a page from being read; the model reads the message (ruling R4). */
export type WebToolErrorCode =
  | "fetch_url.unsupported-type"
  | "fetch_url.too-large"
  | "fetch_url.unreadable"
  | "fetch_url.slow";

/** A page that arrived and cannot be given as text. */
export class WebToolError extends Error {
  override readonly name = "WebToolError";
  readonly code: WebToolErrorCode;

  constructor(code: WebToolErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

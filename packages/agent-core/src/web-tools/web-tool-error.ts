/** What kept a web tool from an answer; the model reads the message (R4). */
export type WebToolErrorCode =
  | "fetch_url.unsupported-type"
  | "fetch_url.too-large"
  | "page.unreadable"
  | "page.slow"
  | "web_search.not-configured"
  | "web_search.unavailable"
  | "web_search.rate-limited"
  | "web_search.refused"
  | "web_search.bad-answer";

/** A page that cannot be given as text, or a search that found no answer. The message may be told to anyone. */
export class WebToolError extends Error {
  override readonly name = "WebToolError";
  readonly code: WebToolErrorCode;

  constructor(code: WebToolErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

import { CodedError } from "../error/index.ts";

/** What kept a web tool from an answer; the model reads the message (R4). */
export type WebToolErrorCode =
  | "fetch_url.unsupported-type"
  | "fetch_url.too-large"
  | "page.unreadable"
  | "page.slow"
  | "page.too-large"
  | "page.busy"
  | "web_search.not-configured"
  | "web_search.unavailable"
  | "web_search.rate-limited"
  | "web_search.refused"
  | "web_search.bad-answer";

const RETRYABLE: ReadonlySet<WebToolErrorCode> = new Set([
  "page.busy",
  "web_search.unavailable",
  "web_search.rate-limited",
]);

/** A page that cannot be given as text, or a search that failed. The message may be shown to anyone. */
export class WebToolError extends CodedError<WebToolErrorCode> {
  override readonly name = "WebToolError";

  override get retryable(): boolean {
    return RETRYABLE.has(this.code);
  }
}

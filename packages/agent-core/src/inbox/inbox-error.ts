/**
 * - `unknown_item`: there is none of this id.
 * - `full`: as many items wait as may.
 */
export type InboxErrorCode = "unknown_item" | "full";

/** What the inbox refuses; nothing has changed. */
export class InboxError extends Error {
  override readonly name = "InboxError";
  readonly code: InboxErrorCode;

  constructor(code: InboxErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
